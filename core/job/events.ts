import type { Event } from '#core/kernel/event.ts';
import type { HeldFor } from '#core/values/held-job.ts';
import type { JobStatus, WorkingStatus } from './statuses.ts';

/** Where the work is. `lat`, `lng` in degrees (WGS 84), null when only the text is known. */
export type JobLocation = Readonly<{
  address: string;
  placeId: string | null;
  lat: number | null;
  lng: number | null;
}>;

/** The consumer details of spec.md §3 that a question of the enquiry form can fill. */
export const consumerFields = [
  'budget',
  'referral',
  'serviceFrequency',
  'allergies',
  'parking',
  'pets',
  'homeType',
  'storeys',
  'bedrooms',
  'livingRooms',
  'bathrooms',
] as const;
export type ConsumerField = (typeof consumerFields)[number];

/** One answer, with the question's text as it was asked: a later edit of the question does not change the past. */
export type Answer = Readonly<{
  questionId: string;
  question: string;
  field: ConsumerField | null;
  answer: string;
}>;

/** A file that the customer added. The id is the key in the file store; links are minted when a job is answered. */
export type Media = Readonly<{ id: string; name: string; mime: string; bytes: number }>;

type Contact = Readonly<{ name: string; email: string; phone: string }>;
type Of = Readonly<{ jobId: string; businessId: string }>;

/** A customer sent the business's public form. */
export type JobRequested = Event<
  'JobRequested',
  Of &
    Contact & {
      title: string;
      description: string;
      isUrgent: boolean;
      wishedTime: string;
      location: JobLocation;
      answers: readonly Answer[];
      media: readonly Media[];
      requestedAt: string;
    }
>;

/** The product itself sent a job. */
export type WorkOrderReceived = Event<
  'WorkOrderReceived',
  Of &
    Contact & {
      title: string;
      description: string;
      isUrgent: boolean;
      location: JobLocation;
      scheduledAt: string | null;
      receivedAt: string;
    }
>;

/** The tradie typed the job in by hand. */
export type JobAdded = Event<
  'JobAdded',
  Of &
    Contact & {
      title: string;
      notes: string;
      location: JobLocation;
      scheduledAt: string | null;
      addedAt: string;
    }
>;

export type JobAccepted = Event<'JobAccepted', Of & { acceptedAt: string }>;
export type JobRejected = Event<'JobRejected', Of & { rejectedAt: string }>;
/** `scheduledAt` null takes the job off the schedule. */
export type JobScheduled = Event<'JobScheduled', Of & { scheduledAt: string | null; changedAt: string }>;
export type JobStatusChanged = Event<
  'JobStatusChanged',
  Of & { status: Exclude<WorkingStatus, 'Unsuccessful'>; changedAt: string }
>;
/** Also takes the job off the schedule. */
export type JobMarkedUnsuccessful = Event<'JobMarkedUnsuccessful', Of & { markedAt: string }>;
export type JobNotesChanged = Event<'JobNotesChanged', Of & { notes: string; changedAt: string }>;

/** A change was taken back; `undone` is the revision of that change's last event. */
type Undo = Readonly<{ undone: number; restoredAt: string }>;
export type JobStatusRestored = Event<'JobStatusRestored', Of & Undo & { status: JobStatus }>;
export type JobScheduleRestored = Event<'JobScheduleRestored', Of & Undo & { scheduledAt: string | null }>;
export type JobNotesRestored = Event<'JobNotesRestored', Of & Undo & { notes: string }>;

/** What a tradie tells a customer from the phone's own messages. */
export const messageKinds = ['on-my-way', 'running-late'] as const;
export type MessageKind = (typeof messageKinds)[number];

/** The phone's messages were opened with a text filled in. Whether it was sent, nobody here knows. */
export type CustomerMessageOpened = Event<
  'CustomerMessageOpened',
  Of & { kind: MessageKind; openedAt: string }
>;

/** The tradie looked at a job that waits for an answer, for the first time. */
export type JobOpened = Event<'JobOpened', Of & { openedAt: string }>;

/** The customer said that the job need not be done any more. What becomes of it, the tradie decides. */
export type JobNoLongerNeeded = Event<'JobNoLongerNeeded', Of & { saidAt: string }>;

/** A request that nobody is alerted to until the tradie has answered it: follows `JobRequested` at once. */
export type JobHeld = Event<'JobHeld', Of & { heldFor: HeldFor; heldAt: string }>;

export type JobEvent =
  | JobRequested
  | WorkOrderReceived
  | JobAdded
  | JobAccepted
  | JobRejected
  | JobScheduled
  | JobStatusChanged
  | JobMarkedUnsuccessful
  | JobNotesChanged
  | JobStatusRestored
  | JobScheduleRestored
  | JobNotesRestored
  | CustomerMessageOpened
  | JobOpened
  | JobNoLongerNeeded
  | JobHeld;
