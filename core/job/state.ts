import { type CorrectionAnswer, ERASED } from '#core/values/stored-details.ts';
import type { RejectionReason } from './answer/rejection-reasons.ts';
import { type JobEvent, type JobPart, partsOf } from './events.ts';
import { type KnownPhotos, photosAfter } from './photos/view.ts';
import { type Dispute, disputeAfter } from './retention/dispute.ts';
import type { JobStatus, JobType } from './status/statuses.ts';

/** The values of the parts of a job that a tradie changes. `scheduledAt` is an instant. */
export type PartValues = Readonly<{ status: JobStatus; scheduledAt: string | null; notes: string }>;

/** One change of a part, at a revision; `before` are the values that it found, `undone` the revision that it took back. */
export type PartChange = Readonly<{
  revision: number;
  before: PartValues;
  undone: number | null;
  /** The change of the same part before this one. */
  earlier: PartChange | null;
}>;

/** What decisions about a job need to know; null before its first event. What is shown of a job is folded in `view.ts`. */
export type JobState =
  | (PartValues &
      Readonly<{
        id: string;
        businessId: string;
        /** With what the job came, by which a repeat of its first command is recognised. */
        type: JobType;
        name: string;
        email: string;
        phone: string;
        title: string;
        address: string;
        /** How the customer is called, reached and found: with what the job came, and what was corrected since. */
        contact: Readonly<{ name: string; email: string; phone: string; address: string }>;
        /** Looked at while it waited, or answered; an undo takes neither back. */
        isOpened: boolean;
        isNoLongerNeeded: boolean;
        /** Why it was rejected; null where that is not said, and while it waits. An undone acceptance finds it again. */
        rejectionReason: RejectionReason | typeof ERASED | null;
        /** What keeps it from being erased; null for nothing. */
        dispute: Dispute;
        /** The corrections that the customer asked for. */
        corrections: readonly Correction[];
        /** The customer asked for the removal of their details, which was neither refused nor taken back since. */
        isRemovalAsked: boolean;
        /** Until when the business keeps the details that the customer asked to remove, an instant; null where it does not. */
        keptUntil: string | null;
        /** The erasure that is to come; null where none is planned, and once it is done. */
        plannedErasure: string | null;
        /** The customer's details are gone. */
        isErased: boolean;
        /** The photos of the work, by their ids. */
        photos: KnownPhotos;
        /** The newest change of each part. */
        changes: Readonly<Record<JobPart, PartChange | null>>;
        /** Revision of the last event. */
        revision: number;
      }>)
  | null;

/** A correction in the customer's words, the revision at which it was asked for, and the business's answer; null before one. */
type Correction = Readonly<{ text: string; revision: number; answer: CorrectionAnswer | null }>;

export type ExistingJob = NonNullable<JobState>;

/** An event with which a job comes. */
export type JobOrigin = JobEvent<'JobRequested' | 'WorkOrderReceived' | 'JobAdded'>;

export const initialJobState: JobState = null;

/** What each of a job's events begins with. */
export const idsOf = (job: ExistingJob) => ({ jobId: job.id, businessId: job.businessId });

/** The job after one more event. An event that does not fit changes nothing but the revision. */
export function evolveJob(state: JobState, event: JobEvent): JobState {
  if (state === null) return isOrigin(event) ? created(event) : null;
  const revision = state.revision + 1;
  const isErased = state.isErased || event.type === 'JobCustomerErased';
  return {
    ...state,
    ...changedValues(event),
    contact: isErased ? erasedContact : contactAfter(state.contact, event),
    ...(isErased && erasedTexts),
    plannedErasure: isErased ? null : plannedAfter(state.plannedErasure, event),
    isErased,
    photos: isErased ? {} : photosAfter(state.photos, event),
    isOpened: state.isOpened || ['JobOpened', 'JobAccepted', 'JobRejected'].includes(event.type),
    rejectionReason: reasonAfter(state.rejectionReason, event),
    isNoLongerNeeded: state.isNoLongerNeeded || event.type === 'JobNoLongerNeeded',
    dispute: isErased ? null : disputeAfter(state.dispute, event),
    corrections: isErased ? [] : correctionsAfter(state.corrections, event, revision),
    isRemovalAsked:
      event.type === 'CustomerRemovalAsked' ||
      (state.isRemovalAsked &&
        event.type !== 'CustomerErasureCancelled' &&
        event.type !== 'CustomerRemovalRefused'),
    keptUntil: event.type === 'CustomerRemovalRefused' ? event.data.until : state.keptUntil,
    changes: changesAfter(state, event, revision),
    revision,
  };
}

export function isOrigin(event: JobEvent): event is JobOrigin {
  return event.type === 'JobRequested' || event.type === 'WorkOrderReceived' || event.type === 'JobAdded';
}

export function typeOf({ type }: JobOrigin): JobType {
  return type === 'WorkOrderReceived' ? 'WorkOrder' : 'Consumer';
}

/** The values with which a job begins. */
export function firstValues(event: JobOrigin): PartValues {
  switch (event.type) {
    case 'JobRequested':
      return { status: 'Pending', scheduledAt: null, notes: '' };
    case 'WorkOrderReceived':
      return { status: 'Pending', scheduledAt: event.data.scheduledAt, notes: '' };
    case 'JobAdded':
      return { status: 'To quote', scheduledAt: event.data.scheduledAt, notes: event.data.notes };
  }
}

/** The values that an event sets in a job that is there already. */
export function changedValues(event: JobEvent): Partial<PartValues> {
  switch (event.type) {
    case 'JobAccepted':
      return { status: 'To quote' };
    case 'JobRejected':
      return { status: 'Rejected' };
    case 'JobStatusChanged':
    case 'JobStatusRestored':
      return { status: event.data.status };
    case 'JobMarkedUnsuccessful':
      return { status: 'Unsuccessful', scheduledAt: null };
    case 'JobScheduled':
    case 'JobScheduleRestored':
      return { scheduledAt: event.data.scheduledAt };
    case 'JobNotesChanged':
    case 'JobNotesRestored':
      return { notes: event.data.notes };
    default:
      return {};
  }
}

/** What a decision sees of an erased customer: the same while the key is still there, and afterwards. */
const erasedTexts = {
  ...{ name: ERASED, email: ERASED, phone: ERASED, title: ERASED, address: ERASED, notes: ERASED },
} as const;

const erasedContact = { name: ERASED, email: ERASED, phone: ERASED, address: ERASED } as const;

function contactAfter(contact: ExistingJob['contact'], event: JobEvent): ExistingJob['contact'] {
  if (event.type !== 'CustomerDetailsCorrected') return contact;
  const { name, email, phone, location } = event.data;
  return { name, email, phone, address: location.address };
}

function reasonAfter(
  reason: ExistingJob['rejectionReason'],
  event: JobEvent,
): ExistingJob['rejectionReason'] {
  if (event.type === 'JobRejectionExplained') return event.data.reason;
  return event.type === 'JobStatusRestored' && event.data.status === 'Pending' ? null : reason;
}

function plannedAfter(planned: string | null, event: JobEvent): string | null {
  if (event.type === 'CustomerErasurePlanned') return event.data.erasureId;
  return event.type === 'CustomerErasureCancelled' ? null : planned;
}

function correctionsAfter(
  asked: readonly Correction[],
  event: JobEvent,
  revision: number,
): readonly Correction[] {
  if (event.type === 'CustomerCorrectionAsked')
    return [...asked, { text: event.data.text, revision, answer: null }];
  if (event.type !== 'CustomerCorrectionAnswered') return asked;
  const { answer } = event.data;
  return asked.map((one) => (one.revision === event.data.asked ? { ...one, answer } : one));
}

function created(event: JobOrigin): ExistingJob {
  const { jobId, businessId, name, email, phone, title, location } = event.data;
  return {
    ...firstValues(event),
    id: jobId,
    businessId,
    type: typeOf(event),
    name,
    email,
    phone,
    title,
    address: location.address,
    contact: { name, email, phone, address: location.address },
    isOpened: false,
    isNoLongerNeeded: false,
    rejectionReason: null,
    dispute: null,
    corrections: [],
    isRemovalAsked: false,
    keptUntil: null,
    plannedErasure: null,
    isErased: false,
    photos: {},
    changes: { status: null, schedule: null, notes: null },
    revision: 0,
  };
}

function changesAfter(state: ExistingJob, event: JobEvent, revision: number): ExistingJob['changes'] {
  const { status, scheduledAt, notes, changes } = state;
  const change = {
    revision,
    before: { status, scheduledAt, notes },
    undone: 'undone' in event.data ? event.data.undone : null,
  };
  const changed = partsOf(event).map((part) => [part, { ...change, earlier: changes[part] }]);
  return changed.length === 0 ? changes : { ...changes, ...Object.fromEntries(changed) };
}
