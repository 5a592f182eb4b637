import { type } from 'arktype';
import {
  type CustomerMessageOpened,
  consumerFields,
  type JobAccepted,
  type JobAdded,
  type JobEvent,
  type JobHeld,
  type JobMarkedUnsuccessful,
  type JobNoLongerNeeded,
  type JobNotesChanged,
  type JobNotesRestored,
  type JobOpened,
  type JobRejected,
  type JobRequested,
  type JobScheduled,
  type JobScheduleRestored,
  type JobStatusChanged,
  type JobStatusRestored,
  messageKinds,
  type WorkOrderReceived,
} from '#core/job/events.ts';
import { jobStatuses, workingStatuses } from '#core/job/statuses.ts';
import { heldReasons } from '#core/values/held-job.ts';
import { ERASED, type EventVersions, id, instant, type Plain } from './event-version.ts';

const job = { jobId: id, businessId: id } as const;
const contact = { name: 'string', email: 'string', phone: 'string' } as const;
const location = type({
  address: 'string',
  placeId: 'string | null',
  lat: 'number | null',
  lng: 'number | null',
});
const answers = type({
  questionId: 'string',
  question: 'string',
  field: type.enumerated(...consumerFields).or('null'),
  answer: 'string',
}).array();
const media = type({ id: 'string', name: 'string', mime: 'string', bytes: 'number' }).array();
const status = type.enumerated(...workingStatuses.filter((known) => known !== 'Unsuccessful'));

const customer = (data: { jobId: string }) => `customer-${data.jobId}`;
const erasedCustomer = {
  name: ERASED,
  email: ERASED,
  phone: ERASED,
  title: ERASED,
  location: { address: ERASED, placeId: null, lat: null, lng: null },
} as const;

const JobRequested1 = type
  .declare<Plain<JobRequested['data']>>()
  .type({
    ...job,
    ...contact,
    title: 'string',
    description: 'string',
    isUrgent: 'boolean',
    wishedTime: 'string',
    location,
    answers,
    media,
    requestedAt: instant,
  })
  .onDeepUndeclaredKey('reject');

const WorkOrderReceived1 = type
  .declare<Plain<WorkOrderReceived['data']>>()
  .type({
    ...job,
    ...contact,
    title: 'string',
    description: 'string',
    isUrgent: 'boolean',
    location,
    scheduledAt: instant.or('null'),
    receivedAt: instant,
  })
  .onDeepUndeclaredKey('reject');

const JobAdded1 = type
  .declare<Plain<JobAdded['data']>>()
  .type({
    ...job,
    ...contact,
    title: 'string',
    notes: 'string',
    location,
    scheduledAt: instant.or('null'),
    addedAt: instant,
  })
  .onDeepUndeclaredKey('reject');

const JobAccepted1 = type
  .declare<Plain<JobAccepted['data']>>()
  .type({ ...job, acceptedAt: instant })
  .onDeepUndeclaredKey('reject');

const JobRejected1 = type
  .declare<Plain<JobRejected['data']>>()
  .type({ ...job, rejectedAt: instant })
  .onDeepUndeclaredKey('reject');

const JobScheduled1 = type
  .declare<Plain<JobScheduled['data']>>()
  .type({ ...job, scheduledAt: instant.or('null'), changedAt: instant })
  .onDeepUndeclaredKey('reject');

const JobStatusChanged1 = type
  .declare<Plain<JobStatusChanged['data']>>()
  .type({ ...job, status, changedAt: instant })
  .onDeepUndeclaredKey('reject');

const JobMarkedUnsuccessful1 = type
  .declare<Plain<JobMarkedUnsuccessful['data']>>()
  .type({ ...job, markedAt: instant })
  .onDeepUndeclaredKey('reject');

const JobNotesChanged1 = type
  .declare<Plain<JobNotesChanged['data']>>()
  .type({ ...job, notes: 'string', changedAt: instant })
  .onDeepUndeclaredKey('reject');

const undo = { undone: 'number.integer >= 0', restoredAt: instant } as const;

const JobStatusRestored1 = type
  .declare<Plain<JobStatusRestored['data']>>()
  .type({ ...job, ...undo, status: type.enumerated(...jobStatuses) })
  .onDeepUndeclaredKey('reject');

const JobScheduleRestored1 = type
  .declare<Plain<JobScheduleRestored['data']>>()
  .type({ ...job, ...undo, scheduledAt: instant.or('null') })
  .onDeepUndeclaredKey('reject');

const JobNotesRestored1 = type
  .declare<Plain<JobNotesRestored['data']>>()
  .type({ ...job, ...undo, notes: 'string' })
  .onDeepUndeclaredKey('reject');

const CustomerMessageOpened1 = type
  .declare<Plain<CustomerMessageOpened['data']>>()
  .type({ ...job, kind: type.enumerated(...messageKinds), openedAt: instant })
  .onDeepUndeclaredKey('reject');

const JobOpened1 = type
  .declare<Plain<JobOpened['data']>>()
  .type({ ...job, openedAt: instant })
  .onDeepUndeclaredKey('reject');

const JobNoLongerNeeded1 = type
  .declare<Plain<JobNoLongerNeeded['data']>>()
  .type({ ...job, saidAt: instant })
  .onDeepUndeclaredKey('reject');

const JobHeld1 = type
  .declare<Plain<JobHeld['data']>>()
  .type({ ...job, heldFor: type.enumerated(...heldReasons), heldAt: instant })
  .onDeepUndeclaredKey('reject');

/** A job's events. What a customer or the tradie wrote about the job belongs to the job's customer. */
export const jobEvents = {
  JobRequested: [
    {
      schema: JobRequested1,
      personal: {
        subject: customer,
        erased: { ...erasedCustomer, description: ERASED, wishedTime: ERASED, answers: [], media: [] },
      },
    },
  ],
  WorkOrderReceived: [
    {
      schema: WorkOrderReceived1,
      personal: { subject: customer, erased: { ...erasedCustomer, description: ERASED } },
    },
  ],
  JobAdded: [
    { schema: JobAdded1, personal: { subject: customer, erased: { ...erasedCustomer, notes: ERASED } } },
  ],
  JobAccepted: [{ schema: JobAccepted1 }],
  JobRejected: [{ schema: JobRejected1 }],
  JobScheduled: [{ schema: JobScheduled1 }],
  JobStatusChanged: [{ schema: JobStatusChanged1 }],
  JobMarkedUnsuccessful: [{ schema: JobMarkedUnsuccessful1 }],
  JobNotesChanged: [{ schema: JobNotesChanged1, personal: { subject: customer, erased: { notes: ERASED } } }],
  JobStatusRestored: [{ schema: JobStatusRestored1 }],
  JobScheduleRestored: [{ schema: JobScheduleRestored1 }],
  JobNotesRestored: [
    { schema: JobNotesRestored1, personal: { subject: customer, erased: { notes: ERASED } } },
  ],
  CustomerMessageOpened: [{ schema: CustomerMessageOpened1 }],
  JobOpened: [{ schema: JobOpened1 }],
  JobNoLongerNeeded: [{ schema: JobNoLongerNeeded1 }],
  JobHeld: [{ schema: JobHeld1 }],
} as const satisfies { [T in JobEvent['type']]: EventVersions<Extract<JobEvent, { type: T }>> };
