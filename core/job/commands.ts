import type { Command } from '#core/kernel/command.ts';
import type { HeldFor } from '#core/values/held-job.ts';
import type { JobEvent, MessageKind } from './events.ts';
import type { WorkingStatus } from './statuses.ts';

/** Every command names the business that gives it: a job of another business is not found. */
type Of = Readonly<{ jobId: string; businessId: string }>;

/** A customer sends the business's public form. `heldFor` says why the tradie is to look before anybody is alerted. */
export type RequestJob = Command<
  'RequestJob',
  Omit<JobEvent<'JobRequested'>['data'], 'requestedAt'> & { heldFor?: HeldFor | null }
>;
/** The product sends a job. */
export type ReceiveWorkOrder = Command<
  'ReceiveWorkOrder',
  Omit<JobEvent<'WorkOrderReceived'>['data'], 'receivedAt'>
>;
/** The tradie types a job in. */
export type AddJob = Command<'AddJob', Omit<JobEvent<'JobAdded'>['data'], 'addedAt'>>;

export type AcceptJob = Command<'AcceptJob', Of>;
export type RejectJob = Command<'RejectJob', Of>;
/** `scheduledAt` is an instant as `Date.toISOString` writes it; null takes the job off the schedule. */
export type ScheduleJob = Command<'ScheduleJob', Of & { scheduledAt: string | null }>;
export type ChangeJobStatus = Command<'ChangeJobStatus', Of & { status: WorkingStatus }>;
export type ChangeJobNotes = Command<'ChangeJobNotes', Of & { notes: string }>;

/** The tradie opens a message to the customer: each time is a fact of its own. */
export type OpenCustomerMessage = Command<'OpenCustomerMessage', Of & { kind: MessageKind }>;
/** The tradie looks at a job: the first time counts, while it waits for an answer. */
export type OpenJob = Command<'OpenJob', Of>;
/** The customer does not need the job any more. */
export type SayJobNoLongerNeeded = Command<'SayJobNoLongerNeeded', Of>;
/** Takes back all that one command did: the events from `first` to `last`, by revision. Decided by `undoDecider`. */
export type UndoJobChange = Command<'UndoJobChange', Of & { first: number; last: number }>;

export type JobCommand =
  | RequestJob
  | ReceiveWorkOrder
  | AddJob
  | AcceptJob
  | RejectJob
  | ScheduleJob
  | ChangeJobStatus
  | ChangeJobNotes
  | OpenCustomerMessage
  | OpenJob
  | SayJobNoLongerNeeded;
