import type { Command } from '#core/kernel/decider.ts';
import type { CorrectionAnswer, KeepReason } from '#core/values/stored-details.ts';
import type { RejectionReason } from './answer/rejection-reasons.ts';
import type { MessageKind } from './customer/customer-messages.ts';
import type { JobEvent } from './events.ts';
import type { HeldFor, WorkingStatus } from './status/statuses.ts';

/** Every command names the business that gives it: a job of another business is not found. */
type Of = Readonly<{ jobId: string; businessId: string }>;

/**
 * A change by a tradie who looked at the revision `ifUnchangedSince`: what would overwrite a part of the job that was changed
 * since is refused. Without it the last change wins.
 */
type Change = Of & Readonly<{ ifUnchangedSince?: number | undefined }>;

/** `onlyWhilePending`: given from a message that may be days old, so that an answer given meanwhile stays. */
type Answer = Change & Readonly<{ onlyWhilePending?: boolean }>;

/** A customer sends the business's public form. `heldFor` says why the tradie is to look before any alert goes out. */
export type RequestJob = Command<
  'RequestJob',
  Omit<JobEvent<'JobRequested'>['data'], 'requestedAt' | keyof Unsaid> &
    Partial<Unsaid> & { heldFor?: HeldFor | null }
>;
/** What a form need not say. */
type Unsaid = Pick<JobEvent<'JobRequested'>['data'], 'reachBy' | 'unsentFiles'>;
/** The product sends a job. */
export type ReceiveWorkOrder = Command<
  'ReceiveWorkOrder',
  Omit<JobEvent<'WorkOrderReceived'>['data'], 'receivedAt'>
>;
/** The tradie types a job in. */
export type AddJob = Command<'AddJob', Omit<JobEvent<'JobAdded'>['data'], 'addedAt'>>;

export type AcceptJob = Command<'AcceptJob', Answer>;
export type RejectJob = Command<'RejectJob', Answer>;
/** Why a job was rejected, said after it was. Another reason later counts from then on. */
export type ExplainRejection = Command<'ExplainRejection', Of & { reason: RejectionReason }>;
/** `scheduledAt` is an instant as `Date.toISOString` writes it; null takes the job off the schedule. */
export type ScheduleJob = Command<'ScheduleJob', Change & { scheduledAt: string | null }>;
export type ChangeJobStatus = Command<'ChangeJobStatus', Change & { status: WorkingStatus }>;
export type ChangeJobNotes = Command<'ChangeJobNotes', Change & { notes: string }>;
/**
 * Takes back what was done in the events from revision `first` to `last`: all that they changed, or the notes only. What others
 * changed in between stays.
 */
export type UndoJobChange = Command<
  'UndoJobChange',
  Of & { first: number; last: number; only?: 'notes' | undefined }
>;

/** The tradie photographs the work. */
export type AddJobPhoto = Command<'AddJobPhoto', Omit<JobEvent<'JobPhotoAdded'>['data'], 'addedAt'>>;
export type DescribeJobPhoto = Command<
  'DescribeJobPhoto',
  Omit<JobEvent<'JobPhotoDescribed'>['data'], 'changedAt'>
>;
export type RemoveJobPhoto = Command<'RemoveJobPhoto', Of & { photoId: string }>;

/** The tradie opens a message to the customer: each time is an event of its own. */
export type OpenCustomerMessage = Command<'OpenCustomerMessage', Of & { kind: MessageKind }>;
/** The tradie looks at a job: the first time counts, while it waits for an answer. */
export type OpenJob = Command<'OpenJob', Of>;
/** The customer does not need the job any more. */
export type SayJobNoLongerNeeded = Command<'SayJobNoLongerNeeded', Of>;

/** The customer asks for something to be corrected: the same text again is the same request. */
export type AskForCorrection = Command<'AskForCorrection', Of & { text: string }>;
/** The business answers the correction that is the event of revision `asked`. Another answer later counts from then on. */
export type AnswerCorrection = Command<'AnswerCorrection', Of & { asked: number; answer: CorrectionAnswer }>;
/** The business corrects the details as the customer asked with the event of revision `asked`, and so agrees. */
export type CorrectDetails = Command<
  'CorrectDetails',
  Omit<JobEvent<'CustomerDetailsCorrected'>['data'], 'correctedAt'>
>;
/** The customer asks for the removal of their details. */
export type AskForRemoval = Command<'AskForRemoval', Of>;

/** The business keeps the details that the customer asked to remove, until the instant `until`. */
export type RefuseRemoval = Command<'RefuseRemoval', Of & { reason: KeepReason; until: string }>;

/** A record of the job was signed and is about to be handed over: each is an event of its own. */
export type IssueJobRecord = Command<'IssueJobRecord', Omit<JobEvent<'JobRecordIssued'>['data'], 'issuedAt'>>;

/** Nothing of the job is to be erased until the dispute is closed, and at most until `until`, an instant. Again: another end or reason. */
export type OpenJobDispute = Command<'OpenJobDispute', Of & { until: string; reason: string }>;
export type CloseJobDispute = Command<'CloseJobDispute', Of>;

/** The customer's details are to be removed at `dueAt`, an instant: from now on the contact is withheld. */
export type PlanCustomerErasure = Command<'PlanCustomerErasure', Of & { erasureId: string; dueAt: string }>;
/** They are not to be removed after all; of another erasure than the one that is planned it changes nothing. */
export type CancelCustomerErasure = Command<'CancelCustomerErasure', Of & { erasureId: string }>;
/** They are removed now. */
export type EraseCustomer = Command<'EraseCustomer', Of & { erasureId: string }>;

export type JobCommand =
  | RequestJob
  | ReceiveWorkOrder
  | AddJob
  | AcceptJob
  | RejectJob
  | ExplainRejection
  | ScheduleJob
  | ChangeJobStatus
  | ChangeJobNotes
  | UndoJobChange
  | AddJobPhoto
  | DescribeJobPhoto
  | RemoveJobPhoto
  | OpenCustomerMessage
  | OpenJob
  | SayJobNoLongerNeeded
  | AskForCorrection
  | AnswerCorrection
  | CorrectDetails
  | AskForRemoval
  | RefuseRemoval
  | IssueJobRecord
  | OpenJobDispute
  | CloseJobDispute
  | PlanCustomerErasure
  | CancelCustomerErasure
  | EraseCustomer;
