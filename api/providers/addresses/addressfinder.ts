import { type } from 'arktype';
import { fetchJson, ProviderError } from '#api/providers/http-client.ts';
import { type Addresses, type AddressSuggestion, mostSuggestions } from './addresses.ts';

const PROVIDER = 'Addressfinder';

const text = type('1 <= string <= 300');
const AuCompletions = type({ completions: type({ full_address: text, id: text }).array() });
const NzCompletions = type({ completions: type({ a: text, pxid: text }).array() });
/** Degrees come as numbers or as their text, or not at all. */
const degrees = type('number | string | null').pipe((value) => {
  const number = value === null || value === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) && Math.abs(number) <= 180 ? number : null;
});
const AuDetails = type({ full_address: text, 'latitude?': degrees, 'longitude?': degrees });
const NzDetails = type({ a: text, 'y?': degrees, 'x?': degrees });

type Country = 'au' | 'nz';

/** Addressfinder, which knows each country by itself. `url` is its origin, without a path. */
export function addressfinderAddresses(
  settings: Readonly<{ key: string; secret: string; url: string }>,
): Addresses {
  const ask = (country: Country, what: 'autocomplete' | 'metadata', query: Record<string, string>) => {
    const url = new URL(`/api/${country}/address/${what}`, settings.url);
    url.search = new URLSearchParams({ key: settings.key, format: 'json', ...query }).toString();
    return fetchJson(PROVIDER, url, { headers: { authorization: settings.secret } });
  };

  const completions = async (country: Country, q: string): Promise<AddressSuggestion[]> => {
    const json = await ask(country, 'autocomplete', { q, max: String(mostSuggestions) });
    if (country === 'au') {
      return checked(AuCompletions(json)).completions.map((one) => ({
        ...{ id: `au:${one.id}`, address: one.full_address },
      }));
    }
    return checked(NzCompletions(json)).completions.map(({ pxid, a }) => ({ id: `nz:${pxid}`, address: a }));
  };

  return {
    /** Both countries at once, Australia first: that is where Melbourne is. */
    async suggest(query) {
      const [au, nz] = await Promise.all([completions('au', query), completions('nz', query)]);
      const room = Math.max(mostSuggestions - nz.length, Math.ceil(mostSuggestions / 2));
      return [...au.slice(0, room), ...nz].slice(0, mostSuggestions);
    },

    async find(placeId) {
      const [country, id = ''] = [placeId.slice(0, 2), placeId.slice(3)];
      if ((country !== 'au' && country !== 'nz') || id === '') return null;
      const json = await ask(country, 'metadata', country === 'au' ? { id } : { pxid: id }).catch(unknownId);
      if (json === null) return null;
      const { address, lat = null, lng = null } = detailsOf(country, json);
      return { ...{ placeId, address, formatted_address: address, lat, lng }, precision: 'address' };
    },
  };
}

function detailsOf(country: Country, json: unknown) {
  if (country === 'au') {
    const { full_address: address, latitude: lat, longitude: lng } = checked(AuDetails(json));
    return { address: `${address}, Australia`, lat, lng };
  }
  const { a: address, y: lat, x: lng } = checked(NzDetails(json));
  return { address: `${address}, New Zealand`, lat, lng };
}

function checked<T>(answer: T | type.errors): T {
  if (answer instanceof type.errors) throw new ProviderError(PROVIDER, 'answered something else');
  return answer;
}

function unknownId(error: unknown): null {
  if (error instanceof ProviderError && (error.status === 404 || error.status === 400)) return null;
  throw error;
}
