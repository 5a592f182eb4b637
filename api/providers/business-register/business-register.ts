import { type } from 'arktype';
import { fetchJson, fetchText, ProviderError } from '#api/providers/http-client.ts';
import { isAbn, isNzbn, normaliseBusinessNumber } from '#core/values/business.ts';
import type { Region } from '#core/values/region.ts';

/** A business as its country's register answers it. `registered` is false for one that was struck off or cancelled. */
export type FoundBusiness = Readonly<{
  bn: string;
  name: string;
  tradingName: string | null;
  registered: boolean;
  /** In the register's own word, for example Active or Cancelled. */
  status: string;
  country: Region;
  postcode: string | null;
  /** Of a sole trader, or of a company's only director. */
  firstName: string | null;
  lastName: string | null;
}>;

/** The most businesses that are answered at once. */
export const mostBusinesses = 10;

/** The register of one country. Both throw `ProviderError` when it does not answer as its documents say. */
export type BusinessRegister = Readonly<{
  /** Businesses by name, or the one with this number; `[]` for none. */
  search(query: string): Promise<readonly FoundBusiness[]>;
  /** The business with a number whose check digits are right; null when there is none. */
  find(bn: string): Promise<FoundBusiness | null>;
}>;

/** First and last name out of `OKAFOR, SAM JAMES`, as registers write a sole trader; null for another form. */
function soleTraderName(entityName: string): { firstName: string; lastName: string } | null {
  const [last, first, ...rest] = entityName.split(',').map((part) => part.trim());
  if (!last || !first || rest.length > 0) return null;
  return { firstName: capitals(first.split(' ')[0] ?? ''), lastName: capitals(last) };
}

/** `O'BRIEN-SMITH` → `O'Brien-Smith`; what has small letters already stays as it is. */
function capitals(name: string): string {
  if (name !== name.toUpperCase()) return name;
  return name.toLowerCase().replace(/(^|[\s'’-])\p{L}/gu, (start) => start.toUpperCase());
}

const ABR = 'ABR';

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
    return unwrap(await fetchText(ABR, address));
  };

  const find: BusinessRegister['find'] = async (bn) => {
    const details = checked(ABR, Details(await ask('AbnDetails', { abn: bn })));
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
      const { Names: names, Message: message } = checked(ABR, Names(await ask('MatchingNames', asked)));
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
  throw new ProviderError(ABR, 'refused');
}

/** The register calls back, `callback({…})`, also without a listener. */
function unwrap(answer: string): unknown {
  const json = /^\s*callback\((.*)\)\s*;?\s*$/s.exec(answer)?.[1] ?? answer;
  try {
    return JSON.parse(json);
  } catch {
    throw new ProviderError(ABR, 'is not JSON');
  }
}

function checked<T>(provider: string, answer: T | type.errors): T {
  if (answer instanceof type.errors) throw new ProviderError(provider, 'answered something else');
  return answer;
}

const NZBN = 'NZBN';
const maybe = text.or('null');
const Status = { entityStatusCode: type('string | number | null'), entityStatusDescription: maybe } as const;
const Found = type({
  items: type({ nzbn: text, entityName: text, ...Status }).array(),
});
const Person = type({ 'firstName?': maybe, 'lastName?': maybe });
const Entity = type({
  nzbn: text,
  entityName: text,
  ...Status,
  'tradingNames?': type({ 'name?': maybe }).array().or('null'),
  'addresses?': type({ 'addressList?': type({ 'postCode?': maybe }).array().or('null') }).or('null'),
  'roles?': type({ 'rolePerson?': Person.or('null') })
    .array()
    .or('null'),
});
type Entity = typeof Entity.infer;

/** How the register codes an entity that is registered. */
const REGISTERED = '50';

/** New Zealand's register, version 5. `url` is its base, down to the version. */
export function nzbnRegister({ key, url }: Readonly<{ key: string; url: string }>): BusinessRegister {
  const ask = (path: string) =>
    fetchJson(NZBN, new URL(`${url}${path}`), { headers: { 'ocp-apim-subscription-key': key } });

  const find: BusinessRegister['find'] = async (bn) => {
    const json = await ask(`/entities/${encodeURIComponent(bn)}`).catch(unknownNumber);
    return json === null ? null : businessOf(checked(NZBN, Entity(json)));
  };

  return {
    find,
    async search(query) {
      const digits = normaliseBusinessNumber(query);
      if (/^\d+$/.test(digits)) {
        const found = isNzbn(digits) ? await find(digits) : null;
        return found ? [found] : [];
      }
      const asked = { 'search-term': query, 'entity-status': 'Registered', page: '0' };
      const search = new URLSearchParams({ ...asked, 'page-size': String(mostBusinesses) });
      const { items } = checked(NZBN, Found(await ask(`/entities?${search}`)));
      return items.filter(({ nzbn }) => isNzbn(nzbn)).map(businessOf);
    },
  };
}

function businessOf(entity: Pick<Entity, 'nzbn' | 'entityName'> & Partial<Entity>): FoundBusiness {
  const { nzbn: bn, entityName: name, entityStatusCode: code, tradingNames, addresses, roles } = entity;
  const registered = String(code ?? '') === REGISTERED;
  const people = (roles ?? []).flatMap(({ rolePerson }) => rolePerson ?? []);
  const only = people.length === 1 ? people[0] : undefined;
  const person = only ?? soleTraderName(name);
  return {
    ...{ bn, name, registered, country: 'nz' },
    status: entity.entityStatusDescription ?? (registered ? 'Registered' : 'Removed'),
    tradingName: tradingNames?.find((trading) => trading.name)?.name ?? null,
    postcode: addresses?.addressList?.find(({ postCode }) => postCode)?.postCode ?? null,
    ...{ firstName: person?.firstName ?? null, lastName: person?.lastName ?? null },
  };
}

function unknownNumber(error: unknown): null {
  if (error instanceof ProviderError && (error.status === 404 || error.status === 400)) return null;
  throw error;
}
