import type { MapBase, Town } from './map-base.ts';

/** A point of the world as the map lays it out: 0 to 1 from west to east and north to south, beyond 1 past 180 degrees. */
export type WorldPoint = Readonly<{ x: number; y: number }>;

/** A coastline as x, y, x, y … and the box around it. */
export type Ring = Readonly<{
  points: Float64Array;
  west: number;
  east: number;
  north: number;
  south: number;
}>;

/** Web Mercator, as map tiles have it. Degrees. */
export function projected(lng: number, lat: number): WorldPoint {
  const sine = Math.sin((lat * Math.PI) / 180);
  return { x: lng / 360 + 0.5, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
}

export function placeOf([, x, y]: Town): WorldPoint {
  return projected(x / 1_000, y / 1_000);
}

/** The coastlines of a base, each ready to be drawn at any scale. */
export function ringsOf({ land }: MapBase): Ring[] {
  return land.map((steps) => {
    const points = new Float64Array(steps.length);
    let [lng, lat] = [0, 0];
    let [west, east, north, south] = [2, 0, 1, 0];
    for (let at = 0; at < steps.length; at += 2) {
      lng += steps[at] ?? 0;
      lat += steps[at + 1] ?? 0;
      const { x, y } = projected(lng / 1_000, lat / 1_000);
      points[at] = x;
      points[at + 1] = y;
      [west, east] = [Math.min(west, x), Math.max(east, x)];
      [north, south] = [Math.min(north, y), Math.max(south, y)];
    }
    return { points, west, east, north, south };
  });
}
