import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { auth } from '#api/http/auth.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { lookupAccess } from '#api/registration/lookup-routes.ts';
import { addressBook } from './address-book.ts';

/** Suggestions cost money with some providers: as many as a person can type. */
const SIGNED_IN = { name: 'address-business', points: 600, seconds: 600 };

/** GET /addresses?q,token → { addresses: [{ id, address }] } · GET /addresses/{id}?token → { address }, for the Add-job form. */
export function addressRoutes(deps: Deps) {
  const book = addressBook(deps);
  const limiter = sharedLimiter(deps, SIGNED_IN);
  return new Elysia({ name: 'addresses', prefix: '/addresses' })
    .use(auth(deps))
    .get(
      '/',
      async ({ session, query }) => {
        await limiter.consume(session.businessId);
        return book.suggest(query);
      },
      { signedIn: true },
    )
    .get('/:id', ({ params, query }) => book.find(params.id, query), { signedIn: true });
}

/** GET /registration/address?q,token and /registration/address/{id}?token: the same for who registers, or is signed in. */
export function registrationAddressRoutes(deps: Deps) {
  const book = addressBook(deps);
  const throttle = lookupAccess(deps);
  return new Elysia({ name: 'registration-address', prefix: '/registration/address' })
    .get('/', async ({ request, query }) => {
      await throttle(request);
      return book.suggest(query);
    })
    .get('/:id', async ({ request, params, query }) => {
      await throttle(request);
      return book.find(params.id, query);
    });
}
