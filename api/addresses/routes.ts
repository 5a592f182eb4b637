import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { auth } from '#api/http/auth.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf } from '#api/http/request-context.ts';
import { hashSource } from '#api/public-forms/intake-limits.ts';
import { addressBook } from './address-book.ts';

/** Suggestions cost money with some providers: as many as somebody can type. */
const SIGNED_IN = { name: 'address-business', points: 600, seconds: 600 };
const REGISTERING = { name: 'address-source', points: 120, seconds: 600 };

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

/** GET /registration/address?q,token and /registration/address/{id}?token: the same, before there is an account. */
export function registrationAddressRoutes(deps: Deps) {
  const book = addressBook(deps);
  const limiter = sharedLimiter(deps, REGISTERING);
  const admit = (request: Request) =>
    limiter.consume(hashSource(contextOf(request).ip, deps.config.keys.botCheck));
  return new Elysia({ name: 'registration-address', prefix: '/registration/address' })
    .get('/', async ({ request, query }) => {
      await admit(request);
      return book.suggest(query);
    })
    .get('/:id', async ({ request, params, query }) => {
      await admit(request);
      return book.find(params.id, query);
    });
}
