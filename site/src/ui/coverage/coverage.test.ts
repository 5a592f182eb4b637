import { expect, test } from 'vitest';
import { defaultLocation } from '#core/values/registration-steps.ts';
import { isChosen, offMap, onMap, wholeCountry } from './coverage.ts';

test('the map centre is latitude -26, longitude 135 until an area is known, 15000 m wide at zoom 10', () => {
  expect(defaultLocation).toEqual({ lat: -26, lng: 135, radius: 15_000, zoom: 10 });
  expect(wholeCountry.au).toMatchObject({ lat: -26, lng: 135 });
  expect(isChosen(defaultLocation)).toBe(false);
  expect(isChosen({ ...defaultLocation, lat: -42.88 })).toBe(true);
});

test('the Chathams lie east of the mainland on the map, and west of the date line elsewhere', () => {
  expect(onMap(-176.5)).toBe(183.5);
  expect(offMap(183.5)).toBe(-176.5);
  expect([onMap(147.33), offMap(147.33)]).toEqual([147.33, 147.33]);
});
