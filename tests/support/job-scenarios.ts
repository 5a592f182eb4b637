import type { JobCommand } from '#core/job/commands.ts';
import type { JobEvent } from '#core/job/events.ts';
import type { JobStatus } from '#core/job/statuses.ts';

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
