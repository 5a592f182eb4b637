import { describe, expect, test } from 'vitest';
import { fold } from '#core/kernel/decider.ts';
import { ConflictError, NotFoundError } from '#core/kernel/errors.ts';
import {
  deciderSpec,
  earlier,
  ids,
  jobAccepted,
  jobCommand,
  jobIn,
  jobRejected,
  jobRequested,
  nextMonday,
  now,
} from '#tests/support/scenarios/deciders.ts';
import { type JobCommand, type JobEvent, jobDecider } from './job.ts';
import { jobStatuses } from './status/statuses.ts';

const notesChanged: JobEvent = {
  type: 'JobNotesChanged',
  data: { ...ids, notes: 'Theirs', changedAt: earlier },
};
const unsuccessful: JobEvent = { type: 'JobMarkedUnsuccessful', data: { ...ids, markedAt: earlier } };

function decide(history: JobEvent[], ifUnchangedSince: number | undefined, command: JobCommand): string[] {
  const based = { ...command, data: { ...command.data, ifUnchangedSince } } as JobCommand;
  return jobDecider.decide(based, fold(jobDecider, history)).map(({ type }) => type);
}

const mine = jobCommand('ChangeJobNotes', { notes: 'Mine' });

describe('a command based on an older revision', () => {
  test('does not overwrite what another wrote since', () => {
    expect(() => decide([jobRequested, notesChanged], 0, mine)).toThrow('changed in the meantime');
  });

  test('changes what others did not touch', () => {
    expect(decide([jobRequested, jobAccepted], 0, mine)).toEqual(['JobNotesChanged']);
    expect(
      decide(
        [jobRequested, jobAccepted, notesChanged],
        1,
        jobCommand('ScheduleJob', { scheduledAt: nextMonday }),
      ),
    ).toEqual(['JobScheduled']);
  });

  test('does not accept what was turned down in the meantime', () => {
    expect(() => decide([jobRequested, jobRejected], 0, jobCommand('AcceptJob', {}))).toThrow(
      'changed in the meantime',
    );
  });

  test('has nothing to lose where both want the same', () => {
    expect(decide([jobRequested, jobAccepted], 0, jobCommand('AcceptJob', {}))).toEqual([]);
  });

  test('does not reopen a job that was given up in the meantime', () => {
    const reopen = jobCommand('ChangeJobStatus', { status: 'In progress' });
    expect(() => decide([jobRequested, jobAccepted, unsuccessful], 1, reopen)).toThrow(
      'changed in the meantime',
    );
  });
});

test('a command based on the newest revision, or on none, is not refused', () => {
  expect(decide([jobRequested, notesChanged], 1, mine)).toEqual(['JobNotesChanged']);
  expect(decide([jobRequested, notesChanged], undefined, mine)).toEqual(['JobNotesChanged']);
});

const given = deciderSpec(jobDecider);
const whilePending = { ...ids, onlyWhilePending: true } as const;
const accept = { type: 'AcceptJob', at: now, data: whilePending } as const;
const decline = { type: 'RejectJob', at: now, data: whilePending } as const;

test('a job that waits is accepted or declined', () => {
  given(jobIn('Pending'))
    .when(accept)
    .then([{ type: 'JobAccepted', data: { ...ids, acceptedAt: now } }]);
  given(jobIn('Pending'))
    .when(decline)
    .then([{ type: 'JobRejected', data: { ...ids, rejectedAt: now } }]);
});

test.each(jobStatuses.filter((status) => status !== 'Pending'))(
  'a job that is %s is not answered again',
  (status) => {
    given(jobIn(status)).when(accept).thenThrows(ConflictError);
    given(jobIn(status)).when(decline).thenThrows(ConflictError);
  },
);

test('a job that is no longer needed is not answered, and the refusal says why', () => {
  const notNeeded: JobEvent = { type: 'JobNoLongerNeeded', data: { ...ids, saidAt: now } };
  const { decide } = given([...jobIn('Pending'), notNeeded]).when(accept);
  expect(decide).toThrow('The customer no longer needs this job');
});

test('another business has no such job', () => {
  const foreign = { ...accept, data: { ...whilePending, businessId: 'rival' } };
  given(jobIn('Pending')).when(foreign).thenThrows(NotFoundError);
});
