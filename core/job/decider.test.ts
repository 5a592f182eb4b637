import { describe, expect, test } from 'vitest';
import { fold } from '#core/kernel/decider.ts';
import { ConflictError, IllegalTransitionError, NotFoundError } from '#core/kernel/errors.ts';
import {
  deciderSpec,
  earlier,
  ids,
  jobAccepted,
  jobByHand,
  jobCommand,
  jobIn,
  jobRejected,
  jobRequested,
  nextMonday,
  now,
  requestOfJob,
  workOrder,
} from '#tests/support/scenarios/deciders.ts';
import type { RejectionReason } from './answer/rejection-reasons.ts';
import { type JobEvent, jobDecider } from './job.ts';
import { workingStatuses } from './status/statuses.ts';

const given = deciderSpec(jobDecider);
const acceptedNow: JobEvent = { type: 'JobAccepted', data: { ...ids, acceptedAt: now } };

describe('a job comes in', () => {
  test('a customer requests it: it waits', () => {
    const requested = { type: 'JobRequested', data: { ...requestOfJob, requestedAt: now } } as const;
    given([]).when({ type: 'RequestJob', at: now, data: requestOfJob }).then([requested]);
    expect(fold(jobDecider, [requested])).toMatchObject({
      status: 'Pending',
      scheduledAt: null,
      revision: 0,
    });
  });

  test('the product sends it: it waits, with the time that was agreed', () => {
    const received = { type: 'WorkOrderReceived', data: { ...workOrder, receivedAt: now } } as const;
    given([]).when({ type: 'ReceiveWorkOrder', at: now, data: workOrder }).then([received]);
    expect(fold(jobDecider, [received])).toMatchObject({
      status: 'Pending',
      type: 'WorkOrder',
      scheduledAt: nextMonday,
    });
  });

  test('the tradie types it in: it is accepted already', () => {
    const added = { type: 'JobAdded', data: { ...jobByHand, addedAt: now } } as const;
    given([]).when({ type: 'AddJob', at: now, data: jobByHand }).then([added]);
    expect(fold(jobDecider, [added])).toMatchObject({ status: 'To quote', type: 'Consumer' });
  });

  test('the same job sent again is no new job, whatever became of it', () => {
    given(jobIn('Paid')).when({ type: 'RequestJob', at: now, data: requestOfJob }).then([]);
    given([{ type: 'WorkOrderReceived', data: { ...workOrder, receivedAt: now } }])
      .when({ type: 'ReceiveWorkOrder', at: now, data: workOrder })
      .then([]);
    given([{ type: 'JobAdded', data: { ...jobByHand, addedAt: now } }])
      .when({ type: 'AddJob', at: now, data: jobByHand })
      .then([]);
  });

  test.each([
    ['other words', { ...requestOfJob, title: 'Blocked drain' }],
    ['another customer', { ...requestOfJob, email: 'rangi@example.com' }],
    ['another business', { ...requestOfJob, businessId: 'rival' }],
  ])('%s under a taken id are refused', (_, data) => {
    given([jobRequested]).when({ type: 'RequestJob', at: now, data }).thenThrows(ConflictError);
  });

  test('a work order under the id of a customer’s job is refused', () => {
    given([jobRequested])
      .when({ type: 'ReceiveWorkOrder', at: now, data: workOrder })
      .thenThrows(ConflictError);
  });
});

describe('accept and reject', () => {
  test('a pending job is accepted', () => {
    given(jobIn('Pending')).when(jobCommand('AcceptJob', {})).then([acceptedNow]);
  });

  test('a rejected job can be accepted again', () => {
    given(jobIn('Rejected')).when(jobCommand('AcceptJob', {})).then([acceptedNow]);
    expect(fold(jobDecider, [jobRequested, jobRejected, jobAccepted])).toMatchObject({ status: 'To quote' });
  });

  test('a pending job is rejected', () => {
    given(jobIn('Pending'))
      .when(jobCommand('RejectJob', {}))
      .then([{ type: 'JobRejected', data: { ...ids, rejectedAt: now } }]);
  });

  test('rejecting twice does nothing', () => {
    given(jobIn('Rejected')).when(jobCommand('RejectJob', {})).then([]);
  });

  test('a rejected job has a reason once, another one instead, and the same after an acceptance was undone', () => {
    const explain = (reason: RejectionReason) => jobCommand('ExplainRejection', { reason });
    const explained = (reason: RejectionReason): JobEvent => ({
      ...{ type: 'JobRejectionExplained', data: { ...ids, reason, explainedAt: now } },
    });
    const tooFar = [...jobIn('Rejected'), explained('too-far')];
    given(jobIn('Rejected'))
      .when(explain('too-far'))
      .then([explained('too-far')]);
    given(tooFar).when(explain('too-far')).then([]);
    given(tooFar)
      .when(explain('none'))
      .then([explained('none')]);
    given([...tooFar, jobAccepted])
      .when(explain('too-far'))
      .thenThrows(IllegalTransitionError);
    const restored = (status: 'Pending' | 'Rejected', undone: number): JobEvent => ({
      ...{ type: 'JobStatusRestored', data: { ...ids, status, undone, restoredAt: now } },
    });
    given([...tooFar, jobAccepted, restored('Rejected', 3)])
      .when(explain('too-far'))
      .then([]);
    given([...tooFar, restored('Pending', 1), jobRejected])
      .when(explain('too-far'))
      .then([explained('too-far')]);
  });

  test.each(workingStatuses)('a job in %s is accepted already and can no more be rejected', (status) => {
    given(jobIn(status)).when(jobCommand('AcceptJob', {})).then([]);
    given(jobIn(status)).when(jobCommand('RejectJob', {})).thenThrows(IllegalTransitionError);
  });
});

describe('the schedule', () => {
  const later = '2026-12-01T21:00:00.000Z';

  test('a working job gets a time and loses it', () => {
    given(jobIn('Quoted'))
      .when(jobCommand('ScheduleJob', { scheduledAt: later }))
      .then([{ type: 'JobScheduled', data: { ...ids, scheduledAt: later, changedAt: now } }]);
    given(jobIn('Quoted'))
      .when(jobCommand('ScheduleJob', { scheduledAt: null }))
      .then([{ type: 'JobScheduled', data: { ...ids, scheduledAt: null, changedAt: now } }]);
  });

  test('the time it has already does nothing', () => {
    given(jobIn('Quoted'))
      .when(jobCommand('ScheduleJob', { scheduledAt: nextMonday }))
      .then([]);
    given(jobIn('Unsuccessful'))
      .when(jobCommand('ScheduleJob', { scheduledAt: null }))
      .then([]);
  });

  test.each(['Pending', 'Rejected', 'Unsuccessful'] as const)('a job in %s cannot be scheduled', (status) => {
    given(jobIn(status))
      .when(jobCommand('ScheduleJob', { scheduledAt: later }))
      .thenThrows(IllegalTransitionError);
  });
});

describe('notes', () => {
  test.each(['Pending', 'Rejected', 'Paid', 'Unsuccessful'] as const)('are taken in %s', (status) => {
    given(jobIn(status))
      .when(jobCommand('ChangeJobNotes', { notes: ' Bring a reseater \n' }))
      .then([{ type: 'JobNotesChanged', data: { ...ids, notes: ' Bring a reseater \n', changedAt: now } }]);
  });

  test('lose controls and heaps of marks, and stay as they were stored before', () => {
    const changed = (notes: string): JobEvent => {
      return { type: 'JobNotesChanged', data: { ...ids, notes, changedAt: now } };
    };
    const typed = 'Ring\u001b[2J first\r\nZoe\u0301\u0301\u0301\u0301';
    given(jobIn('Pending'))
      .when(jobCommand('ChangeJobNotes', { notes: typed }))
      .then([changed('Ring[2J first\nZoe\u0301\u0301')]);
    for (const stored of [typed, 'Ring[2J first\nZoe\u0301\u0301'])
      given([...jobIn('Pending'), changed(stored)])
        .when(jobCommand('ChangeJobNotes', { notes: typed }))
        .then([]);
  });

  test('that say the same do nothing', () => {
    given(jobIn('Pending'))
      .when(jobCommand('ChangeJobNotes', { notes: '' }))
      .then([]);
  });
});

describe('a look at a job, and a customer who needs it no more', () => {
  const opened: JobEvent = { type: 'JobOpened', data: { ...ids, openedAt: now } };
  const notNeeded: JobEvent = { type: 'JobNoLongerNeeded', data: { ...ids, saidAt: now } };

  test('the first look at a job that waits is an event, later ones are not', () => {
    given(jobIn('Pending')).when(jobCommand('OpenJob', {})).then([opened]);
    given([...jobIn('Pending'), { ...opened, data: { ...ids, openedAt: earlier } }])
      .when(jobCommand('OpenJob', {}))
      .then([]);
  });

  test('looking at a job that was answered is none', () => {
    given(jobIn('To quote')).when(jobCommand('OpenJob', {})).then([]);
    given(jobIn('Rejected')).when(jobCommand('OpenJob', {})).then([]);
  });

  test('a job that was answered has been looked at, also once the answer is taken back', () => {
    const undone: JobEvent = {
      type: 'JobStatusRestored',
      data: { ...ids, status: 'Pending', undone: 1, restoredAt: now },
    };
    given([...jobIn('Rejected'), undone])
      .when(jobCommand('OpenJob', {}))
      .then([]);
  });

  test('a customer says once that a job is no longer needed, whatever has become of it', () => {
    given(jobIn('Pending')).when(jobCommand('SayJobNoLongerNeeded', {})).then([notNeeded]);
    given(jobIn('In progress')).when(jobCommand('SayJobNoLongerNeeded', {})).then([notNeeded]);
    given([...jobIn('Pending'), notNeeded])
      .when(jobCommand('SayJobNoLongerNeeded', {}))
      .then([]);
  });

  test('a job that is not there can be neither opened nor called off', () => {
    given([]).when(jobCommand('OpenJob', {})).thenThrows(NotFoundError);
    given([]).when(jobCommand('SayJobNoLongerNeeded', {})).thenThrows(NotFoundError);
  });
});

describe('another business', () => {
  const commands = [
    jobCommand('AcceptJob', {}),
    jobCommand('RejectJob', {}),
    jobCommand('ScheduleJob', { scheduledAt: null }),
    jobCommand('ChangeJobStatus', { status: 'Paid' }),
    jobCommand('ChangeJobNotes', { notes: 'mine' }),
  ];

  test.each(commands)('gets the same answer for $type as for a job that never was', (command) => {
    const foreign = { ...command, data: { ...command.data, businessId: 'rival' } } as typeof command;
    given([jobRequested]).when(foreign).thenThrows(NotFoundError);
    given([]).when(command).thenThrows(NotFoundError);
    expect(messageOf(() => jobDecider.decide(foreign, fold(jobDecider, [jobRequested])))).toBe(
      messageOf(() => jobDecider.decide(command, null)),
    );
  });
});

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return String(error);
  }
  throw new Error('nothing was thrown');
}
