import { expect, test } from 'vitest';
import { formatMoment } from '#site/lib/time/moments.ts';
import { historyAppearance } from './JobHistory.tsx';

const zone = 'Australia/Melbourne';
const now = new Date('2026-01-05T02:00:00Z');

test('an entry that led to a status looks like that status', () => {
  expect(historyAppearance({ what: 'status', to: 'In progress' })).toEqual({
    tone: 'in-progress',
    icon: 'hammer',
  });
  expect(historyAppearance({ what: 'accepted', to: 'To quote' })).toEqual({
    tone: 'to-quote',
    icon: 'ruler',
  });
  expect(historyAppearance({ what: 'notes', to: 'Side gate' })).toEqual({ icon: 'sticky-note' });
});

test('a time of today is shown as such, in the zone of the business', () => {
  expect(formatMoment('2026-01-04T20:14:00Z', zone, now)).toBe('Today, 7:14AM');
  expect(formatMoment('2026-01-04T07:55:00Z', zone, now)).toBe('Sun 04 Jan, 6:55PM');
});
