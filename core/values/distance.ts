/** Degrees; null where nothing is known of the place. */
export type Place = Readonly<{ lat: number | null; lng: number | null }>;

/** The mean radius of the Earth in kilometres. */
const earth = 6_371;

/** How far it is in a straight line, such as `4.2 km`; null where one of the places is unknown. */
export function distanceWords(from: Place | null, to: Place): string | null {
  if (from === null) return null;
  const [a, b] = [inRadians(from), inRadians(to)];
  if (a === null || b === null) return null;
  const arc =
    Math.sin((b.lat - a.lat) / 2) ** 2 +
    Math.cos(a.lat) * Math.cos(b.lat) * Math.sin((b.lng - a.lng) / 2) ** 2;
  return `${(2 * earth * Math.asin(Math.min(1, Math.sqrt(arc)))).toFixed(1)} km`;
}

function inRadians({ lat, lng }: Place): { lat: number; lng: number } | null {
  return lat === null || lng === null ? null : { lat: (lat * Math.PI) / 180, lng: (lng * Math.PI) / 180 };
}
