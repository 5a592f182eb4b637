import { expect, test } from 'vitest';
import type { HistoryEntry } from './history-store.ts';
import { historyWords } from './history-words.ts';

const clock = {
  timeZone: 'Australia/Melbourne',
  now: new Date('2026-01-05T09:05:00+11:00'),
  createdAt: '2026-01-04T07:40:00.000Z',
};
const you = { kind: 'you', name: 'Dave' } as const;
const aroha = { kind: 'customer', name: 'Aroha Tāwhiri' } as const;

function words(entry: object): string {
  const common = {
    revision: 1,
    at: '2026-01-04T07:55:00.000Z',
    undo: false,
    who: you,
    text: 'as the API says it',
  };
  const { who, what, to } = historyWords(
    { ...common, from: null, to: null, ...entry } as HistoryEntry,
    clock,
  );
  return [who, what, to && `<${to}>`].filter(Boolean).join(' ');
}

test.each([
  [{ what: 'requested', who: aroha }, 'Aroha sent this from your job form'],
  [{ what: 'requested', who: aroha, photos: 2 }, 'Aroha sent this from your job form, with 2 photos'],
  [{ what: 'requested', who: aroha, photos: 1 }, 'Aroha sent this from your job form, with 1 photo'],
  [{ what: 'not-needed', who: aroha }, 'Aroha said that this job is no longer needed'],
  [{ what: 'ordered', who: { kind: 'ute', name: 'Ute' } }, 'Ute sent this work order'],
  [{ what: 'added', who: { kind: 'tradie', name: 'Kim' } }, 'Kim added this job'],
  [{ what: 'accepted', from: 'Pending', to: 'To quote' }, 'You accepted it, 15 min after it came in'],
  [{ what: 'accepted', from: 'Rejected', to: 'To quote' }, 'You accepted it'],
  [{ what: 'rejected', from: 'Pending', to: 'Rejected' }, 'You rejected it'],
  [{ what: 'status', from: 'To quote', to: 'In progress' }, 'You changed To quote to <In progress>'],
  [
    { what: 'status', from: 'To quote', to: 'Pending', undo: true },
    'You undid a change: changed To quote to <Pending>',
  ],
  [{ what: 'schedule', to: '2026-01-04T22:30:00Z' }, 'You set it for <Mon 05 Jan, 9:30AM>'],
  [
    { what: 'schedule', from: '2025-12-29T21:00:00Z', to: '2026-01-04T22:30:00Z' },
    'You moved it from Tue 30 Dec 2025, 8:00AM to <Mon 05 Jan, 9:30AM>',
  ],
  [
    { what: 'schedule', from: '2026-01-04T22:30:00Z' },
    'You took it off the schedule, it was Mon 05 Jan, 9:30AM',
  ],
  [{ what: 'notes', from: '', to: 'Side gate' }, 'You wrote notes'],
  [{ what: 'notes', from: 'Side gate', to: '' }, 'You cleared the notes'],
  [{ what: 'message', to: 'running-late' }, 'You opened a message: <Running late>'],
  [{ what: 'undelivered', revision: null, id: 'm1' }, 'as the API says it'],
])('%j reads: %s', (entry, text) => {
  expect(words(entry)).toBe(text);
});

test.each([
  ['2026-01-04T07:40:30.000Z', 'You accepted it'],
  ['2026-01-04T10:45:00.000Z', 'You accepted it, 3 h after it came in'],
  ['2026-01-05T08:00:00.000Z', 'You accepted it, 1 day after it came in'],
  ['2026-01-07T08:00:00.000Z', 'You accepted it, 3 days after it came in'],
])('accepted at %s reads: %s', (at, text) => {
  expect(words({ what: 'accepted', from: 'Pending', to: 'To quote', at })).toBe(text);
});
