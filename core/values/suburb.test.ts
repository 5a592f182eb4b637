import { expect, test } from 'vitest';
import { suburbOf } from './suburb.ts';

test.each([
  ['22/140 Lygon St, Brunswick East VIC 3057', 'Brunswick East VIC'],
  ['14 Blyth St, Brunswick VIC 3056', 'Brunswick VIC'],
  ['15 Jervois Rd, Ponsonby, Auckland 1011', 'Ponsonby, Auckland'],
  ['3 Franklin Rd, Freemans Bay, Auckland', 'Freemans Bay, Auckland'],
  ['12 Smith Street, Fitzroy', 'Fitzroy'],
  ['Unit 3, 88 Nicholson Street, Fitzroy North, VIC, 3068, Australia', 'Fitzroy North VIC'],
  ['7 Acland St, St Kilda VIC 3182', 'St Kilda VIC'],
  ['1 Tāmaki Drive, Ōrākei, Auckland 1071, New Zealand', 'Ōrākei, Auckland'],
  ['12 smith st fitzroy', 'fitzroy'],
  ['12 Smith St St Kilda VIC 3182', 'St Kilda VIC'],
])('%s is in %s', (address, suburb) => {
  expect(suburbOf(address)).toBe(suburb);
});

test.each([
  ['', 'nothing'],
  ['Fitzroy', 'a single word, which could be a street or a house'],
  ['12 Smith Street', 'a street alone'],
  ['12 Smith St, 0491 570 156', 'a phone number'],
  ['Level 2, 5 Smith Street', 'a street behind a comma'],
  ['12 Smith St, ring aroha@example.com', 'an email'],
  ['12 Smith St, VIC 3065', 'a state alone'],
  [`12 Smith St, ${'Long '.repeat(20)}`, 'a story'],
])('%s gives nothing away: %s', (address) => {
  expect(suburbOf(address)).toBeNull();
});

test.each([
  ['12 Main St, bobsplumb.com.au', null],
  ['12 Main St, bob at gmail dot com', null],
  ['12 Main St, bob@example.com, Fitzroy VIC', 'Fitzroy VIC'],
  ['12 Main St Fitzroy evil.com', null],
  ['12 Main St Fitzroy www.evil.example', null],
  ['12 Main St, bob at gmail, Fitzroy', 'Fitzroy'],
])('no contact comes with the suburb of %j', (address, suburb) => {
  expect(suburbOf(address)).toBe(suburb);
});
