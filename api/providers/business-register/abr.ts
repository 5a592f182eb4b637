import { type } from 'arktype';
import { fetchText, ProviderError } from '#api/providers/http-client.ts';
import { isAbn, normaliseBusinessNumber } from '#core/values/business.ts';
import {
  type BusinessRegister,
  type FoundBusiness,
  mostBusinesses,
  soleTraderName,
} from './business-register.ts';

const PROVIDER = 'ABR';

const text = type('string <= 400');
const Details = type({
  Abn: text,
  AbnStatus: text,
  EntityName: text,
  EntityTypeCode: text,
  AddressPostcode: text,
  BusinessName: text.array(),
  Message: text,
});
const Names = type({
  Message: text,
  Names: type({
    Abn: text,
    AbnStatus: text,
    Name: text,
    NameType: text,
    Postcode: text,
    'IsCurrent?': 'boolean',
  }).array(),
});

/** What `AbnStatus` is in a list of names, where it is a code. */
const ACTIVE = new Set(['Active', '0000000001']);

/** Australia's register (ABN Lookup), asked in JSON. `url` is its origin, without a path. */
export function abrRegister({ guid, url }: Readonly<{ guid: string; url: string }>): BusinessRegister {
  const ask = async (what: string, query: Record<string, string>) => {
    const address = new URL(`/json/${what}.aspx`, url);
    address.search = new URLSearchParams({ ...query, guid, callback: 'callback' }).toString();
    return unwrap(await fetchText(PROVIDER, address));
  };

  const find: BusinessRegister['find'] = async (bn) => {
    const details = checked(Details(await ask('AbnDetails', { abn: bn })));
    if (details.Abn !== bn) return none(details.Message);
    const person = details.EntityTypeCode === 'IND' ? soleTraderName(details.EntityName) : null;
    return {
      ...{ bn, country: 'au', name: details.EntityName, status: details.AbnStatus },
      tradingName: details.BusinessName[0] ?? null,
      registered: details.AbnStatus === 'Active',
      postcode: details.AddressPostcode || null,
      ...{ firstName: person?.firstName ?? null, lastName: person?.lastName ?? null },
    };
  };

  return {
    find,
    async search(query) {
      const digits = normaliseBusinessNumber(query);
      if (/^\d+$/.test(digits)) {
        const found = isAbn(digits) ? await find(digits) : null;
        return found ? [found] : [];
      }
      const asked = { name: query, maxResults: String(mostBusinesses * 2) };
      const { Names: names, Message: message } = checked(Names(await ask('MatchingNames', asked)));
      if (names.length === 0) none(message);
      const found = new Map<string, FoundBusiness>();
      for (const { Abn: bn, Name: name, Postcode, AbnStatus } of names) {
        if (!isAbn(bn) || found.has(bn)) continue;
        const registered = ACTIVE.has(AbnStatus);
        found.set(bn, {
          ...{ bn, name, registered, status: registered ? 'Active' : 'Cancelled', country: 'au' },
          ...{ tradingName: null, postcode: Postcode || null, firstName: null, lastName: null },
        });
      }
      return [...found.values()].slice(0, mostBusinesses);
    },
  };
}

/** Nothing was found: because there is nothing, or because the register says why it would not look. */
function none(message: string): null {
  if (message === '' || /no (records?|matching|names?)|not (a )?valid|not found/i.test(message)) return null;
  throw new ProviderError(PROVIDER, 'refused');
}

/** The register calls back, `callback({…})`, also without a listener. */
function unwrap(answer: string): unknown {
  const json = /^\s*callback\((.*)\)\s*;?\s*$/s.exec(answer)?.[1] ?? answer;
  try {
    return JSON.parse(json);
  } catch {
    throw new ProviderError(PROVIDER, 'is not JSON');
  }
}

function checked<T>(answer: T | type.errors): T {
  if (answer instanceof type.errors) throw new ProviderError(PROVIDER, 'answered something else');
  return answer;
}
