import { describe, expect, test } from 'vitest';
import { type JobEvent, jobDecider } from '#core/job/job.ts';
import { fold } from '#core/kernel/decider.ts';
import { ConflictError, NotFoundError } from '#core/kernel/errors.ts';
import {
  earlier,
  ids,
  jobAccepted,
  jobIn,
  jobRejected,
  jobRequested,
  nextMonday,
  now,
} from '#tests/support/scenarios/deciders.ts';
import type { UndoJobChange } from './undo.ts';

const noted = (notes: string): JobEvent => ({
  type: 'JobNotesChanged',
  data: { ...ids, notes, changedAt: earlier },
});
const moved: JobEvent = { type: 'JobStatusChanged', data: { ...ids, status: 'Paid', changedAt: earlier } };
const givenUp: JobEvent = { type: 'JobMarkedUnsuccessful', data: { ...ids, markedAt: earlier } };
const scheduled = (scheduledAt: string | null): JobEvent => ({
  type: 'JobScheduled',
  data: { ...ids, scheduledAt, changedAt: earlier },
});

function undo(
  history: JobEvent[],
  first: number,
  last = first,
  businessId: string = ids.businessId,
  only?: 'notes',
): JobEvent[] {
  const command: UndoJobChange = {
    type: 'UndoJobChange',
    at: now,
    data: { ...ids, businessId, first, last, only },
  };
  return jobDecider.decide(command, fold(jobDecider, history));
}

const restores = (undone: number) => ({ ...ids, undone, restoredAt: now });

describe('a change is taken back', () => {
  test.each([
    ['accepting', [jobRequested, jobAccepted], 'Pending'],
    ['rejecting', [jobRequested, jobRejected], 'Pending'],
    ['accepting after all', [jobRequested, jobRejected, jobAccepted], 'Rejected'],
    ['a status', [jobRequested, jobAccepted, moved], 'To quote'],
  ] as const)('%s', (_, history, status) => {
    const at = history.length - 1;
    expect(undo([...history], at)).toEqual([
      { type: 'JobStatusRestored', data: { ...restores(at), status } },
    ]);
  });

  test('a time, and the first time', () => {
    const history = [...jobIn('To quote'), scheduled(null)];
    expect(undo(history, 3)).toEqual([
      { type: 'JobScheduleRestored', data: { ...restores(3), scheduledAt: nextMonday } },
    ]);
    expect(undo(jobIn('To quote'), 2)).toMatchObject([{ data: { scheduledAt: null } }]);
  });

  test('notes, back to the words before', () => {
    expect(undo([jobRequested, noted('a'), noted('b')], 2)).toEqual([
      { type: 'JobNotesRestored', data: { ...restores(2), notes: 'a' } },
    ]);
  });

  test('giving a job up puts it back on the schedule', () => {
    expect(undo(jobIn('Unsuccessful'), 3).map(({ type, data }) => [type, data])).toEqual([
      ['JobStatusRestored', { ...restores(3), status: 'To quote' }],
      ['JobScheduleRestored', { ...restores(3), scheduledAt: nextMonday }],
    ]);
  });

  test('all that one command did', () => {
    expect(undo([jobRequested, jobRejected, jobAccepted, moved, noted('x')], 2, 4)).toMatchObject([
      { type: 'JobStatusRestored', data: { status: 'Rejected', undone: 4 } },
      { type: 'JobNotesRestored', data: { notes: '', undone: 4 } },
    ]);
  });
});

test('several savings of notes go at once, and what else was changed between them stays', () => {
  const history = [jobRequested, jobAccepted, noted('a'), noted('ab'), moved, noted('abc')];
  expect(undo(history, 3, 5, ids.businessId, 'notes')).toEqual([
    { type: 'JobNotesRestored', data: { ...restores(5), notes: 'a' } },
  ]);
});

test('what others changed since stays, beside what is taken back', () => {
  expect(undo([jobRequested, jobAccepted, noted('x')], 1)).toMatchObject([{ type: 'JobStatusRestored' }]);
});

test('a second time nothing happens', () => {
  const history = [jobRequested, jobAccepted];
  expect(undo([...history, ...undo(history, 1)], 1)).toEqual([]);
});

test.each([
  ['the same part was changed since', [jobRequested, jobAccepted, moved], 1],
  ['it was put on the schedule since and would wait for an answer again', jobIn('To quote'), 1],
  [
    'it was put on the schedule since and would be given up with a time',
    [...jobIn('Unsuccessful'), moved, scheduled(nextMonday)],
    4,
  ],
  ['it was given up since, which also took it off the schedule', [...jobIn('To quote'), givenUp], 2],
  ['that is how the job came', [jobRequested, jobAccepted], 0],
  ['that never was', [jobRequested, jobAccepted], 7],
] as const)('refused because %s', (_, history, at) => {
  expect(() => undo([...history], at)).toThrow(ConflictError);
});

test('a range that ends after the newest event is refused', () => {
  expect(() => undo([jobRequested, jobAccepted], 1, 2)).toThrow('There is nothing to undo');
});

test('an undo is not undone', () => {
  const history = [jobRequested, jobAccepted];
  expect(() => undo([...history, ...undo(history, 1)], 2)).toThrow('There is nothing to undo');
});

test('another business has nothing to undo here', () => {
  expect(() => undo([jobRequested, jobAccepted], 1, 1, 'rival')).toThrow(NotFoundError);
});
