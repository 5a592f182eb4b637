import { type } from 'arktype';
import { fetchJson, ProviderError } from '#api/providers/http-client.ts';
import { isNzbn, normaliseBusinessNumber } from '#core/values/business.ts';
import {
  type BusinessRegister,
  type FoundBusiness,
  mostBusinesses,
  soleTraderName,
} from './business-register.ts';

const PROVIDER = 'NZBN';

const text = type('string <= 400');
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
    fetchJson(PROVIDER, new URL(`${url}${path}`), { headers: { 'ocp-apim-subscription-key': key } });

  const find: BusinessRegister['find'] = async (bn) => {
    const json = await ask(`/entities/${encodeURIComponent(bn)}`).catch(unknownNumber);
    return json === null ? null : businessOf(checked(Entity(json)));
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
      const { items } = checked(Found(await ask(`/entities?${search}`)));
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

function checked<T>(answer: T | type.errors): T {
  if (answer instanceof type.errors) throw new ProviderError(PROVIDER, 'answered something else');
  return answer;
}

function unknownNumber(error: unknown): null {
  if (error instanceof ProviderError && (error.status === 404 || error.status === 400)) return null;
  throw error;
}
