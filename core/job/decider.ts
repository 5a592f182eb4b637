import type { Decider } from '#core/kernel/decider.ts';
import { ConflictError, IllegalTransitionError, NotFoundError } from '#core/kernel/errors.ts';
import type {
  AcceptJob,
  AddJob,
  ChangeJobNotes,
  ChangeJobStatus,
  ExplainRejection,
  IssueJobRecord,
  JobCommand,
  OpenCustomerMessage,
  OpenJob,
  ReceiveWorkOrder,
  RejectJob,
  RequestJob,
  ScheduleJob,
} from './commands.ts';
import {
  answerCorrection,
  askForCorrection,
  askForRemoval,
  correctDetails,
  refuseRemoval,
  sayJobNoLongerNeeded,
} from './customer/decide.ts';
import { isJobEvent, type JobEvent, partsOf } from './events.ts';
import { addPhoto, describePhoto, removePhoto } from './photos/decide.ts';
import {
  assertNotErased,
  cancelErasure,
  closeDispute,
  eraseCustomer,
  erasurePlannedMessage,
  openDispute,
  planErasure,
} from './retention/decide.ts';
import { type ExistingJob, evolveJob, idsOf, initialJobState, type JobState } from './state.ts';
import { hidesContact, isWorkingStatus, type WorkingStatus } from './status/statuses.ts';
import { undoChange } from './undo/decide.ts';

export const answeredAlreadyMessage = 'This job was answered already';
export const notNeededMessage = 'The customer no longer needs this job';

/**
 * The life of a job. A refusal throws NotFoundError where the business has no such job, IllegalTransitionError where its
 * status does not allow the command, ConflictError where it was changed meanwhile or an id is taken.
 */
export const jobDecider: Decider<JobState, JobCommand, JobEvent> = {
  decide(command, state) {
    const events = decideJob(command, state);
    assertUnchangedSince(command, state, events);
    return events;
  },
  evolve: evolveJob,
  initialState: initialJobState,
  owns: isJobEvent,
};

function decideJob(command: JobCommand, state: JobState): JobEvent[] {
  switch (command.type) {
    case 'RequestJob':
      return requestJob(command, state);
    case 'ReceiveWorkOrder':
      return receiveWorkOrder(command, state);
    case 'AddJob':
      return addJob(command, state);
    case 'AcceptJob':
      return acceptJob(command, state);
    case 'RejectJob':
      return rejectJob(command, state);
    case 'ExplainRejection':
      return explainRejection(command, state);
    case 'ScheduleJob':
      return scheduleJob(command, state);
    case 'ChangeJobStatus':
      return changeJobStatus(command, state);
    case 'ChangeJobNotes':
      return changeJobNotes(command, state);
    case 'UndoJobChange':
      return undoChange(ownJob(command, state), command);
    case 'AddJobPhoto':
      return addPhoto(ownJob(command, state), command);
    case 'DescribeJobPhoto':
      return describePhoto(ownJob(command, state), command);
    case 'RemoveJobPhoto':
      return removePhoto(ownJob(command, state), command);
    case 'OpenCustomerMessage':
      return openCustomerMessage(command, state);
    case 'OpenJob':
      return openJob(command, state);
    case 'SayJobNoLongerNeeded':
      return sayJobNoLongerNeeded(ownJob(command, state), command);
    case 'AskForCorrection':
      return askForCorrection(ownJob(command, state), command);
    case 'AnswerCorrection':
      return answerCorrection(ownJob(command, state), command);
    case 'CorrectDetails':
      return correctDetails(ownJob(command, state), command);
    case 'AskForRemoval':
      return askForRemoval(ownJob(command, state), command);
    case 'RefuseRemoval':
      return refuseRemoval(ownJob(command, state), command);
    case 'IssueJobRecord':
      return issueJobRecord(command, state);
    case 'OpenJobDispute':
      return openDispute(ownJob(command, state), command);
    case 'CloseJobDispute':
      return closeDispute(ownJob(command, state), command);
    case 'PlanCustomerErasure':
      return planErasure(ownJob(command, state), command);
    case 'CancelCustomerErasure':
      return cancelErasure(ownJob(command, state), command);
    case 'EraseCustomer':
      return eraseCustomer(ownJob(command, state), command);
    default:
      return command satisfies never;
  }
}

/** Other parts change beside each other, and what leads to no event loses nothing. */
function assertUnchangedSince({ data }: JobCommand, state: JobState, events: readonly JobEvent[]): void {
  const since = 'ifUnchangedSince' in data ? data.ifUnchangedSince : undefined;
  if (since === undefined || state === null) return;
  if (events.flatMap(partsOf).some((part) => (state.changes[part]?.revision ?? 0) > since)) {
    throw new ConflictError('This job was changed in the meantime, please have a look first');
  }
}

function requestJob(command: RequestJob, state: JobState): JobEvent[] {
  if (isRepeat(command, state)) return [];
  const { heldFor = null, reachBy = '', unsentFiles = 0, ...request } = command.data;
  const { jobId, businessId } = request;
  return [
    { type: 'JobRequested', data: { ...request, reachBy, unsentFiles, requestedAt: command.at } },
    ...(heldFor
      ? [{ type: 'JobHeld', data: { jobId, businessId, heldFor, heldAt: command.at } } as const]
      : []),
  ];
}

function receiveWorkOrder(command: ReceiveWorkOrder, state: JobState): JobEvent[] {
  if (isRepeat(command, state)) return [];
  return [{ type: 'WorkOrderReceived', data: { ...command.data, receivedAt: command.at } }];
}

function addJob(command: AddJob, state: JobState): JobEvent[] {
  if (isRepeat(command, state)) return [];
  return [{ type: 'JobAdded', data: { ...command.data, addedAt: command.at } }];
}

function acceptJob(command: AcceptJob, state: JobState): JobEvent[] {
  const job = answerableJob(command, state);
  return isWorkingStatus(job.status) ? [] : [accepted(job, command.at)];
}

function rejectJob(command: RejectJob, state: JobState): JobEvent[] {
  const job = answerableJob(command, state);
  if (job.status === 'Rejected') return [];
  if (job.status !== 'Pending') throw new IllegalTransitionError('Only a pending job can be rejected');
  return [{ type: 'JobRejected', data: { ...idsOf(job), rejectedAt: command.at } }];
}

function explainRejection(command: ExplainRejection, state: JobState): JobEvent[] {
  const job = ownJob(command, state);
  const { reason } = command.data;
  assertNotErased(job);
  if (job.status !== 'Rejected') throw new IllegalTransitionError('This job is not rejected');
  if (reason === job.rejectionReason) return [];
  return [{ type: 'JobRejectionExplained', data: { ...idsOf(job), reason, explainedAt: command.at } }];
}

function scheduleJob(command: ScheduleJob, state: JobState): JobEvent[] {
  const job = ownJob(command, state);
  const { scheduledAt } = command.data;
  if (scheduledAt === job.scheduledAt) return [];
  if (!isWorkingStatus(job.status)) throw new IllegalTransitionError('Accept the job to schedule it');
  if (job.status === 'Unsuccessful') throw new IllegalTransitionError('Not available for unsuccessful jobs');
  return [{ type: 'JobScheduled', data: { ...idsOf(job), scheduledAt, changedAt: command.at } }];
}

function changeJobStatus(command: ChangeJobStatus, state: JobState): JobEvent[] {
  const job = ownJob(command, state);
  const { status } = command.data;
  if (!isWorkingStatus(status)) throw new IllegalTransitionError('A job cannot be set to this status');
  if (job.status === 'Pending') throw new IllegalTransitionError('Accept the job to change its status');
  if (job.status === status) return [];
  if (job.status !== 'Rejected') return [statusChanged(job, status, command.at)];
  const acceptance = accepted(job, command.at);
  return status === 'To quote' ? [acceptance] : [acceptance, statusChanged(job, status, command.at)];
}

function changeJobNotes(command: ChangeJobNotes, state: JobState): JobEvent[] {
  const job = ownJob(command, state);
  const { notes } = command.data;
  assertNotErased(job);
  if (notes === job.notes) return [];
  return [{ type: 'JobNotesChanged', data: { ...idsOf(job), notes, changedAt: command.at } }];
}

function openCustomerMessage(command: OpenCustomerMessage, state: JobState): JobEvent[] {
  const job = ownJob(command, state);
  assertNotErased(job);
  if (hidesContact(job.status)) throw new IllegalTransitionError('Accept the job to message the customer');
  if (job.plannedErasure !== null) throw new ConflictError(erasurePlannedMessage);
  const { kind } = command.data;
  return [{ type: 'CustomerMessageOpened', data: { ...idsOf(job), kind, openedAt: command.at } }];
}

function openJob(command: OpenJob, state: JobState): JobEvent[] {
  const job = ownJob(command, state);
  if (job.status !== 'Pending' || job.isOpened) return [];
  return [{ type: 'JobOpened', data: { ...idsOf(job), openedAt: command.at } }];
}

function issueJobRecord(command: IssueJobRecord, state: JobState): JobEvent[] {
  const { audience, by, upto, sha256 } = command.data;
  const issued = { audience, by, upto, sha256, issuedAt: command.at };
  return [{ type: 'JobRecordIssued', data: { ...idsOf(ownJob(command, state)), ...issued } }];
}

/** The job of an answer; from a message, only one that still waits for it. */
function answerableJob(command: AcceptJob | RejectJob, state: JobState): ExistingJob {
  const job = ownJob(command, state);
  if (!command.data.onlyWhilePending) return job;
  if (job.status !== 'Pending') throw new ConflictError(answeredAlreadyMessage);
  if (job.isNoLongerNeeded) throw new ConflictError(notNeededMessage);
  return job;
}

/** Another business's job and a job that never was look the same. */
function ownJob({ data }: JobCommand, state: JobState): ExistingJob {
  if (state === null || state.businessId !== data.businessId || state.id !== data.jobId) {
    throw new NotFoundError('Job not found');
  }
  return state;
}

/** The same job sent again is no new job. What differs in what never changes is another job under a taken id. */
function isRepeat({ type, data }: RequestJob | ReceiveWorkOrder | AddJob, state: JobState): boolean {
  if (state === null) return false;
  if (state.id === data.jobId && state.businessId === data.businessId) assertNotErased(state);
  const sameOrigin = (type === 'ReceiveWorkOrder') === (state.type === 'WorkOrder');
  const sameIds = state.id === data.jobId && state.businessId === data.businessId;
  const sameContact = state.name === data.name && state.email === data.email && state.phone === data.phone;
  const sameWork = state.title === data.title && state.address === data.location.address;
  if (sameOrigin && sameIds && sameContact && sameWork) return true;
  throw new ConflictError('This job was already created with other details');
}

function accepted(job: ExistingJob, at: string): JobEvent {
  return { type: 'JobAccepted', data: { ...idsOf(job), acceptedAt: at } };
}

function statusChanged(job: ExistingJob, status: WorkingStatus, at: string): JobEvent {
  return status === 'Unsuccessful'
    ? { type: 'JobMarkedUnsuccessful', data: { ...idsOf(job), markedAt: at } }
    : { type: 'JobStatusChanged', data: { ...idsOf(job), status, changedAt: at } };
}
