import { expect, test } from 'vitest';
import { aCard } from '#site/jobs/a-card.fixture.ts';
import { leadInWords } from './lead-bar.ts';

const location = { address: '14 Blyth St, Brunswick VIC 3056', placeId: null, lat: -37.76, lng: 144.96 };
const noor = aCard('a', { name: 'Noor Haddad', location });

test('the bar has the first name, the distance, and how many more there are', () => {
  expect(leadInWords([noor], { lat: -37.76, lng: 144.978 })).toBe('Urgent: Noor, 1.6 km');
  expect(leadInWords([noor], null)).toBe('Urgent: Noor');
  expect(leadInWords([noor, aCard('b')], null)).toBe('Urgent: Noor, and 1 more');
});

test('a name that is contact is not shown', () => {
  expect(leadInWords([{ ...noor, name: '(hidden until you accept)' }], null)).toBe('Urgent: a new job');
});
