import type { Deps } from '#api/deps.ts';
import { HttpError, invalid } from '#api/http/answers.ts';
import type { FoundBusiness } from '#api/providers/business-register/business-register.ts';
import { ProviderError } from '#api/providers/http-client.ts';
import type { Answers } from '#core/registration/events.ts';
import { businessNumberLabels, isBusinessNumber, normaliseBusinessNumber } from '#core/values/business.ts';
import type { Region } from '#core/values/region.ts';
import { singleLine } from '#core/values/text.ts';

export const companyNotFound = "We couldn't find this company, please try again.";

const LEAST = 3;
const MOST = 200;

export type BusinessLookup = ReturnType<typeof businessLookup>;

/** The businesses of both countries as they are answered. A register that is unavailable is 503. */
export function businessLookup(deps: Pick<Deps, 'registers' | 'logger'>) {
  const unlessAway = async <T>(asked: Promise<T>): Promise<T> => {
    try {
      return await asked;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      deps.logger.warn({ event: 'provider-failed', provider: error.provider, reason: error.message });
      throw new HttpError(
        'unavailable',
        'The business register is not available just now, please try again',
        {
          headers: { 'retry-after': '30' },
        },
      );
    }
  };

  /** Throws 422 for a number that cannot be one, null for one that the register does not have. */
  async function find(typed: string, region: Region, field: string): Promise<FoundBusiness | null> {
    const bn = normaliseBusinessNumber(typed);
    if (!isBusinessNumber(bn, region)) {
      const message = `Enter a valid ${businessNumberLabels[region]} number`;
      throw invalid({ [field]: message }, message);
    }
    return unlessAway(deps.registers[region].find(bn));
  }

  return {
    /** Businesses by name or number; fewer than 3 characters find nothing. */
    async search(typed: string, region: Region): Promise<readonly FoundBusiness[]> {
      const query = singleLine(typed);
      if (query.length < LEAST || query.length > MOST) return [];
      return unlessAway(deps.registers[region].search(query));
    },
    find,
    /**
     * The name behind a business number, which goes into the log as the register has it. Throws 422 for one that the register does
     * not have, or has as closed.
     */
    async registeredName(bn: string, region: Region): Promise<string> {
      const found = await find(bn, region, 'bn.bn');
      if (!found) throw invalid({ 'bn.bn': companyNotFound }, companyNotFound);
      if (!found.registered) throw invalid({ 'bn.bn': 'This business is not registered any more' });
      return found.name;
    },
    /** What a draft stores of the business in its answers. Throws 422 for one that the register does not have. */
    async answered(
      before: Answers,
      region: Region | null,
      entity: Readonly<{ bn?: string; tradingName?: string }> | null,
    ): Promise<Partial<Answers>> {
      if (entity === null) return { entity: null, tradingName: '' };
      const { bn: typed, tradingName } = entity;
      const named = tradingName === undefined ? {} : { tradingName };
      if (typed === undefined) return named;
      if (typed.trim() === '') return { ...named, entity: null };
      const country = region ?? 'au';
      const bn = normaliseBusinessNumber(typed);
      if (before.entity?.bn === bn && before.entity.country === country) return named;
      const found = await find(bn, country, 'entity.bn');
      if (!found) throw invalid({ 'entity.bn': companyNotFound }, companyNotFound);
      const { name, registered, status, postcode } = found;
      return { ...named, entity: { bn, name, country, registered, status, postcode } };
    },
  };
}
