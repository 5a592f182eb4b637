import { describe, expect, test } from 'vitest';
import { jobDecider } from '#core/job/job.ts';
import { fold } from '#core/kernel/decider.ts';
import { DomainError } from '#core/kernel/errors.ts';
import { jobCommand, jobIn, nextMonday } from '#tests/support/scenarios/deciders.ts';
import { type JobStatus, jobStatuses, type WorkingStatus, workingStatuses } from './statuses.ts';

const later = '2026-12-01T21:00:00.000Z';
const commands = {
  accept: jobCommand('AcceptJob', {}),
  reject: jobCommand('RejectJob', {}),
  explain: jobCommand('ExplainRejection', { reason: 'too-far' }),
  schedule: jobCommand('ScheduleJob', { scheduledAt: later }),
  unschedule: jobCommand('ScheduleJob', { scheduledAt: null }),
  notes: jobCommand('ChangeJobNotes', { notes: 'Bring a reseater' }),
  message: jobCommand('OpenCustomerMessage', { kind: 'on-my-way' }),
  open: jobCommand('OpenJob', {}),
  notNeeded: jobCommand('SayJobNoLongerNeeded', {}),
  erase: jobCommand('EraseCustomer', { erasureId: 'erasure-1' }),
  photo: jobCommand('AddJobPhoto', {
    ...{ photoId: 'photo-1', mime: 'image/jpeg', bytes: 1, sha256: 'AAAA', stage: 'before', caption: '' },
  }),
  correct: jobCommand('AskForCorrection', { text: 'My name is Aroha' }),
  answerNone: jobCommand('AnswerCorrection', { asked: 0, answer: 'agreed' }),
  correctNone: jobCommand('CorrectDetails', {
    ...{ asked: 0, name: 'Aroha', email: 'a@example.com', phone: '+61491570156' },
    location: { address: '1 High St', placeId: null, lat: null, lng: null },
  }),
  remove: jobCommand('AskForRemoval', {}),
  keep: jobCommand('RefuseRemoval', { reason: 'law', until: later }),
  dispute: jobCommand('OpenJobDispute', { until: '2027-01-01T00:00:00.000Z', reason: 'Not paid' }),
  settle: jobCommand('CloseJobDispute', {}),
  record: jobCommand('IssueJobRecord', { audience: 'owner', by: 'tradie', upto: 0, sha256: 'AAAA' }),
};

/**
 * What each command leads to in each status: the events' initials, `-` for nothing to do, `x` for refused.
 * A accepted, R rejected, W why it was, S scheduled, C status changed, U marked unsuccessful, N notes changed, M message opened,
 * O opened, L no longer needed, E customer erased, P photo added, K correction asked, V removal asked, D dispute opened, I record issued.
 */
const table: Record<JobStatus, Record<keyof typeof commands | WorkingStatus, string>> = {
  Pending: { ...row('A R x x - N x O L E x K x x V x D - I'), ...statuses('x x x x x x x') },
  Rejected: { ...row('A - W x - N x - L E x K x x V x D - I'), ...statuses('A AC AC AC AC AC AU') },
  'To quote': { ...row('- x x S S N M - L E P K x x V x D - I'), ...statuses('- C C C C C U') },
  'In progress': { ...row('- x x S S N M - L E P K x x V x D - I'), ...statuses('C - C C C C U') },
  Quoted: { ...row('- x x S S N M - L E P K x x V x D - I'), ...statuses('C C - C C C U') },
  Completed: { ...row('- x x S S N M - L E P K x x V x D - I'), ...statuses('C C C - C C U') },
  'Invoice sent': { ...row('- x x S S N M - L E P K x x V x D - I'), ...statuses('C C C C - C U') },
  Paid: { ...row('- x x S S N M - L E P K x x V x D - I'), ...statuses('C C C C C - U') },
  Unsuccessful: { ...row('- x x x - N M - L E P K x x V x D - I'), ...statuses('C C C C C C -') },
};

describe.each(jobStatuses)('a job in %s', (status) => {
  test.each(Object.entries(table[status]))('%s leads to %s', (name, expected) => {
    const command = Object.hasOwn(commands, name)
      ? commands[name as keyof typeof commands]
      : jobCommand('ChangeJobStatus', { status: name as WorkingStatus });
    const history = jobIn(status);
    const state = fold(jobDecider, history);
    if (expected === 'x') return void expect(() => jobDecider.decide(command, state)).toThrow(DomainError);

    const events = jobDecider.decide(command, state);
    expect(events.map(({ type }) => initials[type]).join('') || '-').toBe(expected);
    const after = fold(jobDecider, [...history, ...events]);
    if (!Object.hasOwn(commands, name)) expect(after?.status).toBe(name);
    if (name === 'Unsuccessful') expect(after?.scheduledAt).toBeNull();
    else if (name !== 'schedule' && name !== 'unschedule')
      expect(after?.scheduledAt).toBe(state?.scheduledAt);
  });

  test.each(['Pending', 'Rejected', 'Nonsense'])('cannot be set to %s', (target) => {
    const command = jobCommand('ChangeJobStatus', { status: target as WorkingStatus });
    expect(() => jobDecider.decide(command, fold(jobDecider, jobIn(status)))).toThrow(DomainError);
  });
});

test('the scenarios reach the status they are named for, on the schedule where that is allowed', () => {
  for (const status of jobStatuses) {
    const offSchedule = ['Pending', 'Rejected', 'Unsuccessful'].includes(status);
    expect(fold(jobDecider, jobIn(status))).toMatchObject({
      status,
      scheduledAt: offSchedule ? null : nextMonday,
    });
  }
});

const initials: Record<string, string> = {
  ...{
    JobAccepted: 'A',
    JobRejected: 'R',
    JobRejectionExplained: 'W',
    JobScheduled: 'S',
    JobStatusChanged: 'C',
  },
  ...{ JobMarkedUnsuccessful: 'U', JobNotesChanged: 'N', CustomerMessageOpened: 'M' },
  ...{ JobOpened: 'O', JobNoLongerNeeded: 'L', JobCustomerErased: 'E', JobRecordIssued: 'I' },
  ...{ JobPhotoAdded: 'P', CustomerCorrectionAsked: 'K', CustomerRemovalAsked: 'V', JobDisputeOpened: 'D' },
};

function row(cells: string) {
  return cellsBy(Object.keys(commands) as (keyof typeof commands)[], cells);
}

function statuses(cells: string) {
  return cellsBy(workingStatuses, cells);
}

function cellsBy<Name extends string>(names: readonly Name[], cells: string): Record<Name, string> {
  const words = cells.split(' ');
  return Object.fromEntries(names.map((name, index) => [name, words[index]])) as Record<Name, string>;
}
