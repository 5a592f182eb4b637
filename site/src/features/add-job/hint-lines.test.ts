import { expect, test } from 'vitest';
import { hintsInWords, type JobHints } from './job-hints-store.ts';

const hints: JobHints = {
  overlaps: [
    {
      ...{ id: 'j1', title: 'Heater service', name: 'Moana', status: 'To quote' },
      scheduledAt: '2026-01-05T22:30:00.000Z',
    },
  ],
  repeats: [
    {
      ...{ id: 'j2', title: 'A title of more than thirty characters', name: 'Priya', status: 'Paid' },
      ...{ createdAt: '2025-12-31T20:00:00.000Z', same: ['phone', 'email', 'address'] },
    },
  ],
};

test('hints name the other job, its time in the zone of the business, and what is the same', () => {
  expect(hintsInWords(hints, 'Australia/Melbourne', new Date('2026-01-05T00:00:00Z'))).toBe(
    'Overlaps with Heater service for Moana, Tue 06 Jan, 9:30AM. ' +
      'Same phone, email and address as A title of more than thirty ch…, added Thu 01 Jan',
  );
});
