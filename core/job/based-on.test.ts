import { describe, expect, test } from 'vitest';
import { fold } from '#core/kernel/decider.ts';
import {
  earlier,
  ids,
  jobAccepted,
  jobCommand,
  jobRejected,
  jobRequested,
  nextMonday,
} from '#tests/support/job-scenarios.ts';
import { jobDeciderBasedOn } from './based-on.ts';
import type { JobCommand } from './commands.ts';
import type { JobEvent } from './events.ts';

const notesChanged: JobEvent = {
  type: 'JobNotesChanged',
  data: { ...ids, notes: 'Theirs', changedAt: earlier },
};
const unsuccessful: JobEvent = { type: 'JobMarkedUnsuccessful', data: { ...ids, markedAt: earlier } };

function decide(history: JobEvent[], base: number | undefined, command: JobCommand): string[] {
  const decider = jobDeciderBasedOn(base);
  return decider.decide(command, fold(decider, history)).map(({ type }) => type);
}

const mine = jobCommand('ChangeJobNotes', { notes: 'Mine' });

describe('somebody who looks at an older revision', () => {
  test('does not overwrite what another wrote since', () => {
    expect(() => decide([jobRequested, notesChanged], 0, mine)).toThrow('changed in the meantime');
  });

  test('changes what nobody else touched', () => {
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

test('who looks at the newest revision, or names none, is not held up', () => {
  expect(decide([jobRequested, notesChanged], 1, mine)).toEqual(['JobNotesChanged']);
  expect(decide([jobRequested, notesChanged], undefined, mine)).toEqual(['JobNotesChanged']);
});
