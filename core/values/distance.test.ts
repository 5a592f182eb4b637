import { expect, test } from 'vitest';
import { distanceWords } from './distance.ts';

const brunswick = { lat: -37.7667, lng: 144.9596 };

test.each([
  ['the same place', brunswick, '0.0 km'],
  ['the next suburb', { lat: -37.7979, lng: 144.978 }, '3.8 km'],
  ['another city', { lat: -33.8688, lng: 151.2093 }, '710.6 km'],
])('%s', (_, place, words) => {
  expect(distanceWords(brunswick, place)).toBe(words);
});

test('over the line where days change it is the shorter way', () => {
  expect(distanceWords({ lat: -44, lng: 179.9 }, { lat: -44, lng: -179.9 })).toBe('16.0 km');
});

test('nothing without a base or the place of the job', () => {
  expect(distanceWords(null, brunswick)).toBeNull();
  expect(distanceWords(brunswick, { lat: null, lng: null })).toBeNull();
});
