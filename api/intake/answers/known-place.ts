import { placeKey, places } from '#api/providers/addresses/places.ts';
import { suburbOf } from '#core/values/contact-in-text.ts';

const STATE = / (act|nsw|nt|qld|sa|tas|vic|wa)$/i;

/**
 * The suburb of an address in the gazetteer's own words, such as 'Brunswick East VIC'; null for one that it does not have. An address is
 * typed by a stranger: what stands in an SMS or a subject of ours is the name of a place or nothing.
 */
export async function knownPlace(address: string): Promise<string | null> {
  const [first = ''] = suburbOf(address)?.split(', ') ?? [];
  const state = STATE.exec(first)?.[1]?.toUpperCase();
  const key = placeKey(first.replace(STATE, ''));
  if (key === '') return null;
  const known = await places();
  const place = known.find((one) => one.key === key && (state === undefined || one.region === state));
  if (!place) return null;
  return place.country === 'au' ? `${place.name} ${place.region}`.trimEnd() : place.name;
}
