import { expect, test } from 'vitest';
import type { RecordedEvent } from '#core/event-store/port.ts';
import type { JobEvent } from '#core/job/job.ts';
import { aJob, brunswick, record, type StreamEvent } from '#tests/support/scenarios/events.ts';
import { answerInForce } from './messages.ts';

const job = aJob('j1', brunswick);
const answer = (...streamEvents: StreamEvent[]) =>
  answerInForce(record([job.requested(), ...streamEvents]) as RecordedEvent<JobEvent>[]);

test('a job that waits has no answer', () => {
  expect(answer()).toBeUndefined();
  expect(answer(job.opened(), job.notNeeded())).toBeUndefined();
});

test('the last answer stands', () => {
  expect(answer(job.accepted())).toBe(1);
  expect(answer(job.rejected(), job.accepted())).toBe(2);
});

test('an answer that was taken back does not, the one before it does again', () => {
  expect(answer(job.accepted(), job.restoredStatus('Pending', 1))).toBeUndefined();
  expect(answer(job.rejected(), job.accepted(), job.restoredStatus('Rejected', 2))).toBe(1);
  expect(answer(job.accepted(), job.restoredStatus('Pending', 1), job.rejected())).toBe(3);
});

test('what else was changed and undone leaves it in force', () => {
  expect(answer(job.accepted(), job.moved('Quoted'), job.restoredStatus('To quote', 2))).toBe(1);
  expect(answer(job.accepted(), job.noted('x'), job.restoredNotes('', 2))).toBe(1);
});

test('an answer is taken back with all that the same command did', () => {
  const events = record([
    ...[job.requested(), job.rejected(), job.accepted(), job.moved('Paid')],
    job.restoredStatus('Rejected', 3),
  ]) as RecordedEvent<JobEvent>[];
  const together = events.map((event) =>
    event.revision === 3
      ? { ...event, metadata: { ...event.metadata, causation: events[2]?.metadata.causation ?? '' } }
      : event,
  );
  expect(answerInForce(together)).toBe(1);
});
