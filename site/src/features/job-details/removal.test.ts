import { expect, test } from 'vitest';
import { askedLine, isPlannedByCustomer, removalLine } from './ContactDetails.tsx';

const zone = 'Pacific/Auckland';

test('a job says when its customer’s details went, by the clocks of the business', () => {
  expect(removalLine({ erasedAt: '2026-11-28T12:00:00.000Z' }, zone)).toBe(
    'Details removed on Sun 29 Nov 2026. Status and dates stay.',
  );
});

test('and until then when they go', () => {
  expect(removalLine({ erasureDueAt: '2026-11-28T10:00:00.000Z' }, zone)).toBe(
    'Phone and email are withheld: the details go on Sat 28 Nov 2026.',
  );
  expect(removalLine({}, zone)).toBeNull();
});

const entry = (
  what: 'removal-asked' | 'removal-refused' | 'erasure-planned' | 'erasure-cancelled',
  kind: 'customer' | 'you',
) => ({
  ...{ what, at: '2026-11-12T00:30:00.000Z' },
  who: { kind, name: 'Aroha' },
});

test('a job says when its customer asked for the removal, until that is taken back', () => {
  const asked = entry('removal-asked', 'customer');
  expect(askedLine([asked], zone)).toBe('The customer asked to remove their details on Thu 12 Nov 2026.');
  expect(askedLine([entry('erasure-planned', 'you'), asked], zone)).not.toBeNull();
  expect(askedLine([entry('erasure-cancelled', 'customer'), asked], zone)).toBeNull();
  expect(askedLine([entry('removal-refused', 'you'), asked], zone)).toBe(
    'The customer asked to remove their details, and you keep them.',
  );
  const kept = [entry('erasure-cancelled', 'you'), entry('removal-refused', 'you')];
  expect(askedLine([...kept, entry('erasure-planned', 'you'), asked], zone)).toBe(
    'The customer asked to remove their details, and you keep them.',
  );
  expect(askedLine([], zone)).toBeNull();
});

test('what the customer planned is for the customer to take back', () => {
  expect(isPlannedByCustomer([entry('erasure-planned', 'customer')])).toBe(true);
  expect(isPlannedByCustomer([entry('erasure-planned', 'you'), entry('erasure-planned', 'customer')])).toBe(
    false,
  );
  expect(isPlannedByCustomer([])).toBe(false);
});
