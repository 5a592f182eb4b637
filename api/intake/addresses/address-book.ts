import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/envelope.ts';
import { HttpError, notFound } from '#api/http/http-errors.ts';
import { configuredAddresses } from '#api/providers/addresses/configured.ts';
import { ProviderError } from '#api/providers/http-client.ts';
import { InvalidInputError } from '#core/kernel/errors.ts';
import { singleLine } from '#core/values/text.ts';

type Query = Readonly<Record<string, string | undefined>>;

const LEAST = 3;
const MOST = 200;
const TOKEN = /^[A-Za-z0-9_-]{1,36}$/;

/**
 * Address suggestions as they are answered. Fewer than 3 characters suggest nothing. A provider that fails is an outage
 * of suggestions alone, 503: who types can still use the address as typed.
 */
export function addressBook(deps: Pick<Deps, 'config' | 'logger'>) {
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
