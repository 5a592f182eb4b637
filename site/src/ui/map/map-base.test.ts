import { expect, test } from 'vitest';
import { projected, ringsOf } from './map-base.ts';

test('lays the world out as map tiles do, on beyond 180 degrees', () => {
  expect(projected(0, 0)).toEqual({ x: 0.5, y: 0.5 });
  expect(projected(183.5, 0).x).toBeCloseTo(1.00972, 5);
  // Hobart lies in tile 931/647 of zoom 10.
  const { x, y } = projected(147.33, -42.88);
  expect([Math.floor(x * 1024), Math.floor(y * 1024)]).toEqual([931, 647]);
});

test('a coastline is its first point and the steps from there, in a box', () => {
  const towns = { names: [], cities: 0, centres: 0, lonely: 0 };
  const [ring] = ringsOf({ land: [[147_000, -42_000, 1_000, 0, 0, -1_000]], towns });
  expect(ring?.points).toHaveLength(6);
  expect([ring?.west, ring?.east]).toEqual([projected(147, 0).x, projected(148, 0).x]);
  expect([ring?.north, ring?.south]).toEqual([projected(0, -42).y, projected(0, -43).y]);
});
