import fc from 'fast-check';
import { expect } from 'vitest';
import type { BusinessEvent } from '#core/business/events.ts';
import { rejectionReasons } from '#core/job/answer/rejection-reasons.ts';
import { messageKinds } from '#core/job/customer/customer-messages.ts';
import type { JobCommand, JobEvent } from '#core/job/job.ts';
import { photoStages } from '#core/job/photos/photo-stages.ts';
import { type JobStatus, workingStatuses } from '#core/job/status/statuses.ts';
import { type Command, type Decider, fold } from '#core/kernel/decider.ts';
import { DomainError } from '#core/kernel/errors.ts';
import type { Event } from '#core/kernel/event.ts';
import { correctionAnswers, keepReasons } from '#core/values/stored-details.ts';

export const acme: Omit<BusinessEvent<'BusinessRegistered'>['data'], 'registeredAt'> = {
  businessId: 'acme',
  accountId: 'account-1',
  region: 'au',
  plan: 'plus',
  bn: '51824753556',
  name: 'ACME PLUMBING PTY LTD',
  tradingName: 'Acme Plumbing',
  tagline: 'Plumbers, Brunswick VIC',
  timeZone: 'Australia/Melbourne',
  coverage: { lat: -37.77, lng: 144.96, radius: 15_000 },
};

export const acmeRegistered: BusinessEvent<'BusinessRegistered'> = {
  type: 'BusinessRegistered',
  data: { ...acme, registeredAt: '2026-11-02T21:00:00.000Z' },
};

/** The same business on the plan that shows no logo. */
export const starterRegistered: BusinessEvent<'BusinessRegistered'> = {
  type: 'BusinessRegistered',
  data: { ...acmeRegistered.data, plan: 'starter' },
};

/** `const given = deciderSpec(jobDecider)`, then `given(events).when(command).then(events)` or `.thenThrows(Error)`. */
export function deciderSpec<State, C extends Command, E extends Event>(decider: Decider<State, C, E>) {
  return (history: readonly E[]) => ({
    when(command: C) {
      const decide = () => decider.decide(command, fold(decider, history));
      return {
        /** The events, for what needs a closer look than equality. */
        decide,
        then: (expected: readonly E[]) => expect(decide()).toEqual(expected),
        thenThrows: (error: new (...args: never[]) => DomainError) => expect(decide).toThrow(error),
      };
    },
  });
}

/** The events of a decision, or null when the business refuses. Anything else that is thrown is a fault and goes on. */
export function attempt<State, C extends Command, E extends Event>(
  decider: Decider<State, C, E>,
  command: C,
  state: State,
): E[] | null {
  try {
    return decider.decide(command, state);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** The instant at which the histories below happen, and a later one for the command under test. */
export const earlier = '2026-11-02T21:00:00.000Z';
export const now = '2026-11-03T01:00:00.000Z';
export const nextMonday = '2026-11-08T22:30:00.000Z';

export const ids = { jobId: 'job-1', businessId: 'acme' } as const;
export const contact = { name: 'Aroha Tāwhiri', email: 'aroha@example.com', phone: '+61491570156' } as const;

const location = {
  address: '22/140 Lygon St, Brunswick East VIC 3057',
  placeId: null,
  lat: -37.77,
  lng: 144.97,
};
const work = { ...ids, ...contact, title: 'Leaking shower mixer', location };

export const requestOfJob = {
  ...work,
  description: 'The hot tap will not close.',
  isUrgent: true,
  wishedTime: 'Any morning',
  reachBy: '',
  unsentFiles: 0,
  answers: [
    { questionId: 'home-type', question: 'Home type', field: 'homeType', answer: 'Unit' },
    { questionId: 'q-1', question: 'Is there a stopcock?', field: null, answer: 'In the laundry' },
  ],
  media: [{ id: 'media-1', name: 'mixer.jpg', mime: 'image/jpeg', bytes: 41_000 }],
} as const;
export const workOrder = {
  ...work,
  description: 'Replace the mixer.',
  isUrgent: false,
  scheduledAt: nextMonday,
} as const;
export const jobByHand = { ...work, notes: 'Key under the mat', scheduledAt: nextMonday } as const;

export const jobRequested: JobEvent<'JobRequested'> = {
  type: 'JobRequested',
  data: { ...requestOfJob, requestedAt: earlier },
};
export const workOrderReceived: JobEvent<'WorkOrderReceived'> = {
  type: 'WorkOrderReceived',
  data: { ...workOrder, receivedAt: earlier },
};
export const jobAdded: JobEvent<'JobAdded'> = { type: 'JobAdded', data: { ...jobByHand, addedAt: earlier } };

export const jobAccepted: JobEvent = { type: 'JobAccepted', data: { ...ids, acceptedAt: earlier } };
export const jobRejected: JobEvent = { type: 'JobRejected', data: { ...ids, rejectedAt: earlier } };

/** A history that leaves the job in that status. Working jobs are on the schedule, as far as their status allows. */
export function jobIn(status: JobStatus): JobEvent[] {
  switch (status) {
    case 'Pending':
      return [jobRequested];
    case 'Rejected':
      return [...jobIn('Pending'), jobRejected];
    case 'To quote':
      return [
        ...jobIn('Pending'),
        jobAccepted,
        { type: 'JobScheduled', data: { ...ids, scheduledAt: nextMonday, changedAt: earlier } },
      ];
    case 'Unsuccessful':
      return [...jobIn('To quote'), { type: 'JobMarkedUnsuccessful', data: { ...ids, markedAt: earlier } }];
    default:
      return [
        ...jobIn('To quote'),
        { type: 'JobStatusChanged', data: { ...ids, status, changedAt: earlier } },
      ];
  }
}

/** A command about the job of the scenarios, given by its own business. */
export function jobCommand<T extends JobCommand['type']>(
  type: T,
  data: Omit<Extract<JobCommand, { type: T }>['data'], 'jobId' | 'businessId'>,
): JobCommand {
  return { type, at: now, data: { ...ids, ...data } } as JobCommand;
}

const businessId = fc.constantFrom('acme', 'acme', 'acme', 'rival');
const scheduledAt = fc.constantFrom(null, '2026-11-08T22:30:00.000Z', '2026-12-01T21:00:00.000Z');
const notes = fc.constantFrom('', 'Key under the mat', ' Key under the mat');
const status = fc.constantFrom(...workingStatuses);

/** Mostly absent, else the revision that was looked at. */
const ifUnchangedSince = fc.option(fc.nat({ max: 8 }), { nil: undefined, freq: 3 });
const answer = fc.record({ ifUnchangedSince, onlyWhilePending: fc.boolean() });
const undo = fc
  .record({
    first: fc.nat({ max: 8 }),
    length: fc.nat({ max: 3 }),
    only: fc.constantFrom(undefined, 'notes' as const),
  })
  .map(({ first, length, only }) => ({ first, last: first + length, only }));

const correction = fc.record({
  text: fc.constantFrom('', 'My name is Aroha', ' My name is Aroha ', 'x'.repeat(500), 'x'.repeat(501)),
});
const answered = fc.record({
  asked: fc.nat({ max: 8 }),
  answer: fc.constantFrom(...correctionAnswers),
});
const correctedTo = fc.record({
  asked: fc.nat({ max: 12 }),
  name: fc.constantFrom('Aroha', 'Hemi'),
  ...{ email: fc.constant('a@example.com'), phone: fc.constant('+61491570156') },
  location: fc.constant({ address: '1 High St', placeId: null, lat: null, lng: null }),
});
const kept = fc.record({
  reason: fc.constantFrom(...keepReasons),
  until: fc.constantFrom('2026-10-01T00:00:00.000Z', '2033-12-24T00:00:00.000Z'),
});
const dispute = fc.record({
  until: fc.constantFrom('2026-10-01T00:00:00.000Z', '2026-12-24T00:00:00.000Z', '2028-01-01T00:00:00.000Z'),
  reason: fc.constantFrom('', 'Not paid', 'x'.repeat(301)),
});
const erasure = fc.record({ erasureId: fc.constantFrom('erasure-1', 'erasure-2') });
const dueAt = '2026-11-10T01:00:00.000Z';

const photo = fc.record({ photoId: fc.constantFrom('photo-1', 'photo-2') });
const said = fc.record({
  ...{ photoId: fc.constantFrom('photo-1', 'photo-2'), stage: fc.constantFrom(...photoStages) },
  caption: fc.constantFrom('', 'Old valve'),
});
const stored = { mime: 'image/jpeg', bytes: 300_000, sha256: 'AAAA' };

const about = <T extends object>(data: fc.Arbitrary<T>) =>
  fc.tuple(businessId, data).map(([businessId, data]) => ({ jobId: ids.jobId, businessId, ...data }));

/** Any command about one job, from its own business or from another, in any order. */
export const anyJobCommand: fc.Arbitrary<JobCommand> = fc.oneof(
  {
    weight: 1,
    arbitrary: businessId.map((businessId) => command('RequestJob', { ...requestOfJob, businessId })),
  },
  {
    weight: 1,
    arbitrary: scheduledAt.map((at) => command('ReceiveWorkOrder', { ...workOrder, scheduledAt: at })),
  },
  { weight: 1, arbitrary: scheduledAt.map((at) => command('AddJob', { ...jobByHand, scheduledAt: at })) },
  { weight: 2, arbitrary: about(answer).map((data) => command('AcceptJob', data)) },
  { weight: 2, arbitrary: about(answer).map((data) => command('RejectJob', data)) },
  {
    weight: 1,
    arbitrary: about(fc.record({ reason: fc.constantFrom(...rejectionReasons) })).map((data) =>
      command('ExplainRejection', data),
    ),
  },
  { weight: 2, arbitrary: about(undo).map((data) => command('UndoJobChange', data)) },
  { weight: 1, arbitrary: about(fc.constant({})).map((data) => command('OpenJob', data)) },
  { weight: 1, arbitrary: about(fc.constant({})).map((data) => command('SayJobNoLongerNeeded', data)) },
  { weight: 1, arbitrary: about(dispute).map((data) => command('OpenJobDispute', data)) },
  { weight: 1, arbitrary: about(fc.constant({})).map((data) => command('CloseJobDispute', data)) },
  { weight: 1, arbitrary: about(correction).map((data) => command('AskForCorrection', data)) },
  { weight: 2, arbitrary: about(answered).map((data) => command('AnswerCorrection', data)) },
  { weight: 2, arbitrary: about(correctedTo).map((data) => command('CorrectDetails', data)) },
  { weight: 1, arbitrary: about(fc.constant({})).map((data) => command('AskForRemoval', data)) },
  { weight: 1, arbitrary: about(kept).map((data) => command('RefuseRemoval', data)) },
  {
    weight: 1,
    arbitrary: about(erasure).map((data) => command('PlanCustomerErasure', { ...data, dueAt })),
  },
  { weight: 1, arbitrary: about(erasure).map((data) => command('CancelCustomerErasure', data)) },
  { weight: 1, arbitrary: about(erasure).map((data) => command('EraseCustomer', data)) },
  {
    weight: 3,
    arbitrary: about(fc.record({ scheduledAt, ifUnchangedSince })).map((data) =>
      command('ScheduleJob', data),
    ),
  },
  {
    weight: 4,
    arbitrary: about(fc.record({ status, ifUnchangedSince })).map((data) => command('ChangeJobStatus', data)),
  },
  {
    weight: 2,
    arbitrary: about(fc.record({ notes, ifUnchangedSince })).map((data) => command('ChangeJobNotes', data)),
  },
  {
    weight: 1,
    arbitrary: about(said).map((data) => command('AddJobPhoto', { ...data, ...stored })),
  },
  { weight: 1, arbitrary: about(said).map((data) => command('DescribeJobPhoto', data)) },
  { weight: 1, arbitrary: about(photo).map((data) => command('RemoveJobPhoto', data)) },
  {
    weight: 1,
    arbitrary: about(fc.record({ kind: fc.constantFrom(...messageKinds) })).map((data) =>
      command('OpenCustomerMessage', data),
    ),
  },
);

function command<T extends JobCommand['type']>(
  type: T,
  data: Extract<JobCommand, { type: T }>['data'],
): JobCommand {
  return { type, at: now, data } as JobCommand;
}
