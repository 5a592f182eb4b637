import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { HttpError, notFound, ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { hashSource } from '#api/http/client-address.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf } from '#api/http/request-context.ts';
import { textParameter } from '#api/http/validation.ts';
import { configuredAddresses } from '#api/providers/addresses/configured.ts';
import { ProviderError } from '#api/providers/http-client.ts';
import { lookupAccess } from '#api/registration/lookup-access.ts';
import { singleLine } from '#core/values/text.ts';
import { findForm } from './public-form.ts';

/** Suggestions and the addresses behind them cost money with some providers: as many as a person can type. */
const SIGNED_IN = { name: 'address-business', points: 600, seconds: 600 };

const LEAST = 3;
const MOST = 200;

const token = type(/^[A-Za-z0-9_-]{0,36}$/)
  .configure({
    description: 'The same for all calls while one address is typed: some providers charge by it',
    message: 'Not a token',
    examples: ['0198c0de-7b1e-7000-8000-000000000001'],
  })
  .pipe((text) => (text === '' ? null : text))
  .default('');
const OneAddress = type({ token });
const Suggestions = type({
  q: textParameter(`What was typed so far; fewer than ${LEAST} characters suggest nothing`, '12 George')
    .narrow((text, ctx) => singleLine(text).length <= MOST || ctx.reject({ message: 'This is too long' }))
    .pipe(singleLine)
    .default(''),
  token,
});

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
      {
        signedIn: true,
        query: Suggestions,
        detail: operation('Intake', 'findAddresses', 'Addresses that begin like a text'),
      },
    )
    .get(
      '/:id',
      async ({ session, params, query }) => {
        await limiter.consume(session.businessId);
        return book.find(params.id, query);
      },
      {
        signedIn: true,
        query: OneAddress,
        detail: operation('Intake', 'getAddress', 'One address'),
      },
    );
}

/** GET /registration/address?q,token and /registration/address/{id}?token: the same for who registers, or is signed in. */
export function registrationAddressRoutes(deps: Deps) {
  const book = addressBook(deps);
  const throttle = lookupAccess(deps);
  return new Elysia({ name: 'registration-address', prefix: '/registration/address' })
    .get('/', ({ query }) => book.suggest(query), {
      transform: ({ request }) => throttle(request),
      query: Suggestions,
      detail: operation('Registration', 'findBusinessAddresses', 'Addresses that begin like a text', {
        access: 'registration or session',
      }),
    })
    .get('/:id', ({ params, query }) => book.find(params.id, query), {
      transform: ({ request }) => throttle(request),
      query: OneAddress,
      detail: operation('Registration', 'getBusinessAddress', 'One address', {
        access: 'registration or session',
      }),
    });
}

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
      throw new HttpError('unavailable', 'Address suggestions are not available just now', {
        headers: { 'retry-after': '30' },
      });
    }
  };
  return {
    async suggest({ q, token }: typeof Suggestions.infer) {
      return ok({ addresses: q.length < LEAST ? [] : await unlessUnavailable(addresses.suggest(q, token)) });
    },
    async find(id: string, { token }: typeof OneAddress.infer) {
      const address = id.length > 300 ? null : await unlessUnavailable(addresses.find(id, token));
      if (!address) throw notFound();
      return ok({ address });
    },
  };
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
    .get('/', ({ query }) => book.suggest(query), {
      transform: ({ params, request }) => throttle(params.slug, request),
      query: Suggestions,
      detail: operation('Intake', 'findCustomerAddresses', 'Addresses that begin like a text', {
        access: 'open',
      }),
    })
    .get('/:id', ({ params, query }) => book.find(params.id, query), {
      transform: ({ params, request }) => throttle(params.slug, request),
      query: OneAddress,
      detail: operation('Intake', 'getCustomerAddress', 'One address', { access: 'open' }),
    });
}
