import { expect, test } from 'vitest';
import type { Change } from './changes.ts';
import { changeWords, differencesOf } from './record-words.ts';

const clock = {
  timeZone: 'Australia/Melbourne',
  now: new Date('2026-01-05T09:05:00+11:00'),
  createdAt: '2026-01-04T07:40:00.000Z',
};

function change(...entries: object[]): Change {
  const at = '2026-01-04T20:12:30.000Z';
  const common = {
    revision: 3,
    at,
    undo: false,
    from: null,
    to: null,
    who: { kind: 'you', name: 'Dave' },
    text: '',
  };
  return { revision: 3, at, entries: entries.map((entry) => ({ ...common, ...entry })) } as unknown as Change;
}

test('a change that did two things says both, and what each replaced', () => {
  const both = change(
    { what: 'status', from: 'Quoted', to: 'Unsuccessful' },
    { what: 'schedule', from: '2026-01-05T21:00:00Z' },
  );
  expect(changeWords(both, clock)).toBe(
    'You changed Quoted to Unsuccessful. You took it off the schedule, it was Tue 06 Jan, 8:00AM',
  );
  expect(differencesOf(both, clock)).toEqual([
    { label: 'Status', from: 'Quoted', to: 'Unsuccessful' },
    { label: 'Schedule', from: 'Tue 06 Jan, 8:00AM', to: '' },
  ]);
});

test('notes differ by their whole text, and what replaced nothing has no difference', () => {
  expect(differencesOf(change({ what: 'notes', from: '', to: 'Side gate' }), clock)).toEqual([
    { label: 'Notes', from: '', to: 'Side gate' },
  ]);
  expect(differencesOf(change({ what: 'opened' }), clock)).toEqual([]);
});
