import { type } from 'arktype';
import { fetchJson, ProviderError } from '#api/providers/http-client.ts';
import { type Addresses, bias, mostSuggestions, type Precision } from './addresses.ts';

const PROVIDER = 'Google Places';
const BIAS_METRES = 50_000;

const Suggestions = type({
  'suggestions?': type({
    'placePrediction?': { placeId: '1 <= string <= 300', text: { text: '1 <= string <= 300' } },
  }).array(),
});

const Details = type({
  id: '1 <= string <= 300',
  formattedAddress: '1 <= string <= 300',
  'location?': { latitude: '-90 <= number <= 90', longitude: '-180 <= number <= 180' },
  'types?': 'string[]',
});

/** Google Places API (New). `url` is its origin, without a path. */
export function googleAddresses({ key, url }: Readonly<{ key: string; url: string }>): Addresses {
  const headers = { 'x-goog-api-key': key, 'content-type': 'application/json' };
  return {
    async suggest(query, session) {
      const body = {
        input: query,
        includedRegionCodes: ['au', 'nz'],
        includedPrimaryTypes: ['street_address', 'premise', 'subpremise', 'route'],
        locationBias: {
          circle: { center: { latitude: bias.lat, longitude: bias.lng }, radius: BIAS_METRES },
        },
        languageCode: 'en-AU',
        ...(session === null ? {} : { sessionToken: session }),
      };
      const answer = Suggestions(
        await fetchJson(PROVIDER, new URL('/v1/places:autocomplete', url), {
          ...{ method: 'POST', headers, body: JSON.stringify(body) },
        }),
      );
      if (answer instanceof type.errors) throw new ProviderError(PROVIDER, 'answered something else');
      const found = (answer.suggestions ?? []).flatMap(({ placePrediction }) => placePrediction ?? []);
      return found
        .slice(0, mostSuggestions)
        .map(({ placeId, text }) => ({ id: placeId, address: text.text }));
    },

    async find(id, session) {
      const place = new URL(`/v1/places/${encodeURIComponent(id)}`, url);
      if (session !== null) place.searchParams.set('sessionToken', session);
      const fields = { 'x-goog-fieldmask': 'id,formattedAddress,location,types' };
      const json = await fetchJson(PROVIDER, place, { headers: { ...headers, ...fields } }).catch(
        unknownPlace,
      );
      if (json === null) return null;
      const answer = Details(json);
      if (answer instanceof type.errors) throw new ProviderError(PROVIDER, 'answered something else');
      const { formattedAddress: address, location, types = [] } = answer;
      return {
        ...{ placeId: answer.id, address, formatted_address: address },
        ...{ lat: location?.latitude ?? null, lng: location?.longitude ?? null },
        precision: precisionOf(types),
      };
    },
  };
}

function precisionOf(types: readonly string[]): Precision {
  return types.includes('route') ? 'street' : 'address';
}

/** An id that Google never gave out, or has forgotten. */
function unknownPlace(error: unknown): null {
  if (error instanceof ProviderError && (error.status === 404 || error.status === 400)) return null;
  throw error;
}
