import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { auth } from '#api/http/auth.ts';
import { hashSource } from '#api/http/client-address.ts';
import { ok } from '#api/http/envelope.ts';
import { HttpError, notFound } from '#api/http/http-errors.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf } from '#api/http/request-context.ts';
import { configuredAddresses } from '#api/providers/addresses/configured.ts';
import { ProviderError } from '#api/providers/http-client.ts';
import { lookupAccess } from '#api/registration/lookup-routes.ts';
import { InvalidInputError } from '#core/kernel/errors.ts';
import { singleLine } from '#core/values/text.ts';
import { findForm } from './public-form/find-form.ts';

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

type Query = Readonly<Record<string, string | undefined>>;

const LEAST = 3;
const MOST = 200;
const TOKEN = /^[A-Za-z0-9_-]{1,36}$/;

/**
 * Address suggestions as they are answered. Fewer than 3 characters suggest nothing. A provider that fails is an outage
 * of suggestions alone, 503: who types can still use the address as typed.
 */
function addressBook(deps: Pick<Deps, 'config' | 'logger'>) {
  const addresses = configuredAddresses(deps.config.addresses);
  const unlessUnavailable = async <T>(asked: Promise<T>): Promise<T> => {
    try {
      return await asked;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      deps.logger.warn({ event: 'provider-failed', provider: error.provider, reason: error.message });
      throw new HttpError(503, 'Address suggestions are not available just now', {
        headers: { 'retry-after': '30' },
      });
    }
  };
  return {
    async suggest(query: Query) {
      const typed = singleLine(query.q ?? '');
      const session = sessionOf(query);
      if (typed.length > MOST)
        throw new InvalidInputError('Please check what you entered', { q: 'This is too long' });
      return ok({
        addresses: typed.length < LEAST ? [] : await unlessUnavailable(addresses.suggest(typed, session)),
      });
    },
    async find(id: string, query: Query) {
      const address = id.length > 300 ? null : await unlessUnavailable(addresses.find(id, sessionOf(query)));
      if (!address) throw notFound();
      return ok({ address });
    },
  };
}

function sessionOf({ token }: Query): string | null {
  if (token === undefined || token === '') return null;
  if (!TOKEN.test(token))
    throw new InvalidInputError('Please check what you entered', { token: 'Not a token' });
  return token;
}

/** As many as one customer types; and for all customers of a form together, because some providers are paid by the call. */
const SOURCE = { name: 'public-address-source', points: 120, seconds: 600 };
const FORM = { name: 'public-address-form', points: 3_000, seconds: 3_600 };

/** GET /public-forms/{slug}/addresses?q,token and …/addresses/{id}?token: the suggestions of `/addresses`, for customers. */
export function publicFormAddressRoutes(deps: Deps) {
  const book = addressBook(deps);
  const bySource = sharedLimiter(deps, SOURCE);
  const byForm = sharedLimiter(deps, FORM);
  const throttle = async (slug: string, request: Request) => {
    const found = await findForm(deps, slug);
    if (!found) throw notFound();
    await bySource.consume(hashSource(contextOf(request).ip, deps.config.keys.botCheck));
    await byForm.consume(found.businessId);
  };
  return new Elysia({ name: 'public-form-addresses', prefix: '/public-forms/:slug/addresses' })
    .get('/', async ({ params, request, query }) => {
      await throttle(params.slug, request);
      return book.suggest(query);
    })
    .get('/:id', async ({ params, request, query }) => {
      await throttle(params.slug, request);
      return book.find(params.id, query);
    });
}
