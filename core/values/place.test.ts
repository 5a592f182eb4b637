import { expect, test } from 'vitest';
import { hiddenContact } from './contact-in-text.ts';
import { distanceWords, pointProblems, suburbIn } from './place.ts';

test.each([
  ['14 Blyth St, Brunswick VIC 3056', 'Brunswick'],
  ['22/140 Lygon St, Brunswick East VIC 3057, Australia', 'Brunswick East'],
  ['12 Smith St Fitzroy VIC 3065', 'Fitzroy'],
  ['6 Cuba Street, Te Aro, Wellington 6011', 'Te Aro'],
  [`12 Smith St, Fitzroy ${hiddenContact} VIC 3065`, 'Fitzroy'],
  ['12 Burns Bay Road, Lane Cove NSW, Australia', 'Lane Cove'],
  ['12 Smith Street, Launching Place VIC, Australia', 'Launching Place'],
  ['12 Smith Street, Terrace End, New Zealand', 'Terrace End'],
  ['12 Musk Ave, Kelvin Grove, QLD 4059', 'Kelvin Grove'],
  ['9 Burns Bay Rd Lane Cove NSW 2066', 'Lane Cove'],
  ['12 Smith St Raymond Terrace NSW 2324', 'Raymond Terrace'],
  ['1 Main Rd, Mount Isa (behind the pub) QLD 4825', 'Mount Isa'],
])('%s is in %s', (address, suburb) => {
  expect(suburbIn(address)).toBe(suburb);
});

test.each(['', 'call me', hiddenContact, '12 Smith St, VIC 3065'])('%j names no suburb', (address) => {
  expect(suburbIn(address)).toBeNull();
});

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

test('half of a point is no point: what is missing is named', () => {
  const message = 'Send lat and lng together, or neither';
  expect(pointProblems({ lat: -37.7 })).toEqual({ lng: message });
  expect(pointProblems({ lat: null, lng: 0 })).toEqual({ lat: message });
  for (const place of [{}, { lat: 0, lng: 0 }, { lat: null, lng: null }, { lng: null }]) {
    expect(pointProblems(place)).toEqual({});
  }
});
