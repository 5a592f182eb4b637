import { expect, test } from 'vitest';
import { defaultLocation } from '#core/values/registration-steps.ts';
import { ERASED_AREA } from '#core/values/stored-details.ts';
import { baseOf } from './projection.ts';

test('the middle of the area is where a tradie starts from', () => {
  expect(baseOf({ lat: -37.77, lng: 144.96 })).toEqual({ base_lat: -37.77, base_lng: 144.96 });
  expect(baseOf({ lat: -26, lng: 144.96 })).toEqual({ base_lat: -26, base_lng: 144.96 });
});

test.each([
  ['every area starts with', defaultLocation],
  ['an erased person has', ERASED_AREA],
])('what %s is no base', (_, area) => {
  expect(baseOf(area)).toEqual({ base_lat: null, base_lng: null });
});
