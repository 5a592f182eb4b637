import { type MapBase, placeOf } from './map-base.ts';

/** A name on the map, in pixels of the whole world at its zoom: its dot, and the box of its text. */
export type Label = Readonly<{
  text: string;
  x: number;
  y: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** One of the region's cities, in heavier type. */
  isCity: boolean;
}>;

/** Pixels: the height of a line of text, the air around it, and how far it stands below its dot. */
const lineHeight = 16;
const air = 6;
const drop = 6;
/** The side of the cells in which neighbours are looked for; no name is longer. */
const cell = 256;

/**
 * The names that fit at a zoom, the weightiest first, none over another. Placed once for the whole region, so that
 * neighbouring tiles agree. `widthOf` measures a text in pixels.
 */
export function placeLabels(
  { towns }: MapBase,
  zoom: number,
  widthOf: (text: string, isCity: boolean) => number,
): Label[] {
  const placed: Label[] = [];
  const cells = new Map<string, Label[]>();
  for (const [index, town] of towns.names.slice(0, mostNames(towns, zoom)).entries()) {
    const label = labelOf(town[0], placeOf(town), zoom, widthOf, index < towns.cities);
    const near = cellsOf(label);
    if (near.some((key) => cells.get(key)?.some((other) => overlap(label, other)))) continue;
    placed.push(label);
    for (const key of near) cells.set(key, [...(cells.get(key) ?? []), label]);
  }
  return placed;
}

/** From far away only what orients is named; close by, everything that fits. */
function mostNames({ names, cities, centres, lonely }: MapBase['towns'], zoom: number): number {
  if (zoom <= 4) return cities;
  if (zoom <= 6) return centres;
  return zoom <= 8 ? lonely : names.length;
}

function labelOf(
  text: string,
  place: Readonly<{ x: number; y: number }>,
  zoom: number,
  widthOf: (text: string, isCity: boolean) => number,
  isCity: boolean,
): Label {
  const scale = 256 * 2 ** zoom;
  const [x, y] = [Math.round(place.x * scale), Math.round(place.y * scale)];
  const half = Math.ceil(Math.min(widthOf(text, isCity), cell) / 2) + air;
  return { text, x, y, left: x - half, right: x + half, top: y - air, bottom: y + drop + lineHeight, isCity };
}

function cellsOf({ left, right, top, bottom }: Label): string[] {
  const keys: string[] = [];
  for (let x = Math.floor(left / cell); x <= Math.floor(right / cell); x += 1) {
    for (let y = Math.floor(top / cell); y <= Math.floor(bottom / cell); y += 1) keys.push(`${x},${y}`);
  }
  return keys;
}

function overlap(one: Label, other: Label): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
