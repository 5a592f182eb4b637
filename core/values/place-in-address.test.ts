import { expect, test } from 'vitest';
import { hiddenContact } from './contact-in-text.ts';
import { suburbIn } from './place-in-address.ts';

test.each([
  ['14 Blyth St, Brunswick VIC 3056', 'Brunswick'],
  ['22/140 Lygon St, Brunswick East VIC 3057, Australia', 'Brunswick East'],
  ['12 Smith St Fitzroy VIC 3065', 'Fitzroy'],
  ['6 Cuba Street, Te Aro, Wellington 6011', 'Te Aro'],
  [`12 Smith St, Fitzroy ${hiddenContact} VIC 3065`, 'Fitzroy'],
  ['1 Main Rd, Mount Isa (behind the pub) QLD 4825', 'Mount Isa'],
])('%s is in %s', (address, suburb) => {
  expect(suburbIn(address)).toBe(suburb);
});

test.each(['', 'call me', hiddenContact, '12 Smith St, VIC 3065'])('%j names no suburb', (address) => {
  expect(suburbIn(address)).toBeNull();
});
