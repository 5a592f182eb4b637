import type { MapBase } from './map-base.ts';

/** The name of the place that a point is nearest to; `lng` goes on beyond 180. Null on a base without names. */
export function nearestTown(
  { towns }: MapBase,
  { lat, lng }: Readonly<{ lat: number; lng: number }>,
): string | null {
  const shorter = Math.cos((lat * Math.PI) / 180);
  let nearest: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const [name, x, y] of towns.names) {
    const distance = Math.hypot(y / 1_000 - lat, (x / 1_000 - lng) * shorter);
    if (distance >= least) continue;
    least = distance;
    nearest = name;
  }
  return nearest;
}
