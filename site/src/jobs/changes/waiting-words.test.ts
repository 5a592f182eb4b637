import { expect, test } from 'vitest';
import type { Change, QueuedChange, Seen } from './change-queue.ts';
import {
  aboutInWords,
  bannerInWords,
  changeInWords,
  choiceInWords,
  isChoice,
  photosInWords,
  signInWords,
  sizeInWords,
  stateInWords,
} from './waiting-words.ts';

const clock = { timeZone: 'Australia/Melbourne', now: new Date('2026-01-05T09:05:00+11:00') };
const [ten, two] = ['2026-01-05T23:00:00.000Z', '2026-01-06T03:00:00.000Z'];
const seen: Seen = { revision: 4, status: 'Quoted', scheduledAt: '2026-01-05T22:00:00.000Z' };

function queued(change: Change, more: Partial<QueuedChange> = {}): QueuedChange {
  return {
    ...{ id: 'c1', account: 'a1', jobId: 'j1', at: Date.parse('2026-01-05T08:52:00+11:00'), change, seen },
    job: { name: 'Wei Cheng', title: 'Replace clay sewer' },
    ...more,
  };
}

const theirs = { ...seen, revision: 5, notes: '', isErased: false };
const kim = { name: 'Kim Nguyen', isOwn: false, at: '2026-01-05T08:58:00+11:00' };
const message = 'This job was changed in the meantime, please have a look first';

test.each<[Change, string, string]>([
  [{ answer: 'accept' }, 'Wei Cheng accepted', 'Accepted, waiting to send'],
  [{ answer: 'reject' }, 'Wei Cheng rejected', 'Rejected, waiting to send'],
  [{ status: 'Completed' }, 'Wei Cheng, Completed', 'Completed, waiting to send'],
  [{ status: 'Unsuccessful', scheduledAt: null }, 'Wei Cheng, Unsuccessful', 'Unsuccessful, waiting to send'],
  [{ scheduledAt: ten }, 'Wei Cheng moved to Tue 06 Jan, 10:00AM', 'New time, waiting to send'],
  [{ scheduledAt: null }, 'Wei Cheng taken off the schedule', 'No time, waiting to send'],
  [{ notes: 'Side gate' }, 'Notes on Wei Cheng', 'Notes, waiting to send'],
])('%j reads in the queue and beside the job: %s, %s', (change, inQueue, sign) => {
  expect([changeInWords(queued(change), clock), signInWords([queued(change)])]).toEqual([inQueue, sign]);
});

test('several changes of a job are one sign', () => {
  const changes = [{ status: 'Completed' }, { scheduledAt: ten }, { notes: 'Side gate' }] as const;
  const all = changes.map((change) => queued(change));
  expect(signInWords(all)).toBe('Completed, new time and notes, waiting to send');
  expect(signInWords(all.slice(0, 2), clock)).toBe(
    'Completed and new time Tue 06 Jan, 10:00AM, waiting to send',
  );
});

test('photos are counted by their stage', () => {
  const words = [photosInWords(2, 'after'), photosInWords(1, 'before'), photosInWords(3, 'during')];
  expect(words).toEqual(['2 after photos', '1 before photo', '3 photos']);
  expect([sizeInWords(3_100_000), sizeInWords(900)]).toEqual(['3.1 MB', '0.1 MB']);
});

test('each change says where it is on its way', () => {
  const change = { scheduledAt: ten } as const;
  const states = [
    queued(change),
    queued(change, { isSending: true }),
    queued(change, { sentAt: Date.parse('2026-01-05T09:03:00+11:00') }),
    queued(change, { problem: { message, theirs: { ...theirs, scheduledAt: two }, by: kim } }),
  ].map((one) => `${aboutInWords(one, clock)} · ${stateInWords(one, [one], false, clock)}`);
  expect(states).toEqual([
    'Replace clay sewer, 8:52AM · Waiting for signal',
    'Replace clay sewer, 8:52AM · Sending',
    'Replace clay sewer, 8:52AM · Sent 9:03AM',
    'Kim Nguyen moved it too while you were away · Needs you',
  ]);
});

test('the banner says how many wait, then who is needed, then that all was sent', () => {
  const asked = { ...clock, hasSignal: false, asOf: Date.parse('2026-01-05T08:51:00+11:00') };
  const waiting = queued({ status: 'Paid' });
  const needed = queued(
    { scheduledAt: ten },
    { id: 'c2', problem: { message, theirs: { ...theirs, scheduledAt: two }, by: kim } },
  );
  const first = (changes: QueuedChange[], hasSignal: boolean) => {
    const words = bannerInWords(changes, { ...asked, hasSignal });
    return words && `${words.first} · ${words.second}`;
  };
  expect(first([waiting, needed], false)).toBe('No signal. 1 change waiting · Your jobs as of 8:51AM');
  expect(first([waiting, needed], true)).toBe('1 change needs you · Wei Cheng has two times');
  expect(first([{ ...waiting, isSending: true }], true)).toMatch(/^Sending 1 change · /);
  expect(first([{ ...waiting, sentAt: 1 }], true)).toBe('Back online. 1 change sent · ');
  expect(first([], false)).toBeNull();
});

test('which of two times holds is asked with who set them and when, and what follows', () => {
  const change = queued(
    { scheduledAt: ten },
    { problem: { message, theirs: { ...theirs, scheduledAt: two }, by: kim } },
  );
  expect(isChoice(change)).toBe(true);
  expect(choiceInWords(change, clock)).toMatchObject({
    title: 'Which time holds?',
    intro: 'You set 10:00AM, Kim Nguyen set 2:00PM. Both are for',
    job: 'Wei Cheng, Replace clay sewer',
    mine: { value: 'Tue 06 Jan, 10:00AM', whose: 'You, 8:52AM, without signal', take: 'Keep 10:00AM' },
    theirs: { value: 'Tue 06 Jan, 2:00PM', whose: 'Kim Nguyen, 8:58AM', take: 'Keep 2:00PM' },
  });
});

test.each<[string, Change, Partial<typeof theirs>, string]>([
  ['an answer', { answer: 'accept' }, { status: 'Rejected' }, 'Kim Nguyen rejected it while you were away'],
  ['an answer', { answer: 'reject' }, { status: 'To quote' }, 'Kim Nguyen accepted it while you were away'],
  [
    'a removed customer',
    { notes: 'Side gate' },
    { isErased: true },
    'The customer’s details were removed meanwhile',
  ],
  ['a job without a schedule', { scheduledAt: ten }, { status: 'Unsuccessful' }, message],
])('there is nothing to choose about %s: %j says why', (_, change, changed, why) => {
  const refused = queued(change, { problem: { message, theirs: { ...theirs, ...changed }, by: kim } });
  expect([isChoice(refused), aboutInWords(refused, clock)]).toEqual([false, why]);
});
