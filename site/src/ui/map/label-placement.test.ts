import { expect, test } from 'vitest';
import { placeLabels } from './label-placement.ts';
import { type MapBase, nearestTown, type Town } from './map-base.ts';

const names: Town[] = [
  ['Hobart', 147_330, -42_880],
  ['Launceston', 147_140, -41_440],
  ['Moonah', 147_300, -42_850],
  ['Kingston', 147_300, -42_970],
];
const base: MapBase = { land: [], towns: { names, cities: 1, centres: 2, lonely: 2 } };
const named = (zoom: number) => placeLabels(base, zoom, (text) => text.length * 8).map(({ text }) => text);

test('names the cities from far away, then the other centres', () => {
  expect(named(4)).toEqual(['Hobart']);
  expect(named(6)).toEqual(['Hobart', 'Launceston']);
});

test('what would lie over a weightier name is left out until there is room', () => {
  expect(named(9)).toEqual(['Hobart', 'Launceston', 'Kingston']);
  expect(named(12)).toEqual(['Hobart', 'Launceston', 'Moonah', 'Kingston']);
});

test('no two names of a zoom overlap', () => {
  const crowd: Town[] = Array.from({ length: 400 }, (_, at) => [
    `Place ${at}`,
    147_000 + at * 7,
    -42_000 - (at % 20) * 9,
  ]);
  const labels = placeLabels(
    { land: [], towns: { names: crowd, cities: 0, centres: 0, lonely: 0 } },
    11,
    () => 60,
  );
  const clashes = labels.filter((one) =>
    labels.some(
      (other) =>
        other !== one &&
        one.left < other.right &&
        other.left < one.right &&
        one.top < other.bottom &&
        other.top < one.bottom,
    ),
  );
  expect(labels.length).toBeGreaterThan(5);
  expect(clashes).toEqual([]);
});

test('the place that a point is nearest to', () => {
  expect(nearestTown(base, { lat: -42.95, lng: 147.31 })).toBe('Kingston');
  expect(nearestTown({ ...base, towns: { ...base.towns, names: [] } }, { lat: 0, lng: 0 })).toBeNull();
});
