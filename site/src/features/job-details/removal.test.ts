import { expect, test } from 'vitest';
import { removalLine } from './ContactDetails.tsx';

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
