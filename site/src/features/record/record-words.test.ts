import { expect, test } from 'vitest';
import { exactMoment, inGroups, offsetWords, placeOf, recordWords } from './record-words.ts';

const melbourne = 'Australia/Melbourne';

test('times on paper are exact, with their distance from UTC', () => {
  expect(exactMoment('2026-01-04T07:40:12.345Z', melbourne)).toBe('Sun 04 Jan 2026, 6:40:12PM');
  expect(exactMoment('2026-01-04T13:00:05Z', melbourne)).toBe('Mon 05 Jan 2026, 12:00:05AM');
  expect(offsetWords('2026-01-04T07:40:59.999Z', melbourne)).toBe('UTC+11');
  expect(offsetWords('2026-06-04T07:40:00Z', melbourne)).toBe('UTC+10');
  expect(offsetWords('2026-06-04T07:40:31Z', 'Australia/Darwin')).toBe('UTC+9:30');
  expect(offsetWords('2026-06-04T07:40:31Z', 'America/Lima')).toBe('UTC-5');
  expect(placeOf('Australia/Broken_Hill')).toBe('Broken Hill');
});

const clock = { timeZone: melbourne, now: new Date(0), createdAt: '2026-01-04T07:40:00.000Z' };
const common = {
  ...{ revision: 1, at: '2026-01-04T07:55:00.000Z', undo: false, from: null, to: null, text: '' },
  who: { kind: 'you', name: 'Dave' },
};

test.each([
  [{ what: 'requested' }, 'Sent the job from the job form'],
  [{ what: 'requested', photos: 2 }, 'Sent the job from the job form, with 2 photos'],
  [{ what: 'accepted', from: 'Pending', to: 'To quote' }, 'Accepted. Status Pending to To quote'],
  [{ what: 'status', from: 'To quote', to: 'In progress' }, 'Status To quote to In progress'],
  [
    { what: 'status', from: 'To quote', to: 'Pending', undo: true },
    'Undid a change: status To quote to Pending',
  ],
  [
    { what: 'schedule', from: '2026-01-05T21:00:00Z', to: '2026-01-04T22:30:00Z' },
    'Schedule Tue 06 Jan 2026, 8:00AM to Mon 05 Jan 2026, 9:30AM',
  ],
  [
    { what: 'schedule', from: '2026-01-05T21:00:00Z' },
    'Taken off the schedule, it was Tue 06 Jan 2026, 8:00AM',
  ],
  [{ what: 'notes', from: '', to: 'Side gate' }, 'Notes written, 9 characters'],
  [{ what: 'notes', from: 'Side gate', to: '' }, 'Notes cleared'],
  [{ what: 'notes', from: '[erased]', to: '[erased]' }, 'Notes changed'],
  [{ what: 'message', to: 'on-my-way' }, '“On my way” message opened'],
  [{ what: 'record' }, 'Made a record of the job'],
])('on paper, %j reads: %s', (entry, words) => {
  expect(recordWords({ ...common, ...entry } as Parameters<typeof recordWords>[0], clock)).toBe(words);
});

test('a fingerprint is read in eight groups of eight', () => {
  expect(inGroups('0123456789abcdef'.repeat(4)).split(' ')).toHaveLength(8);
  expect(inGroups('0123456789abcdef')).toBe('01234567 89abcdef');
});
