import type { Decider } from '#core/kernel/decider.ts';
import { ConflictError, IllegalTransitionError, NotFoundError } from '#core/kernel/errors.ts';
import type {
  AcceptJob,
  AddJob,
  ChangeJobNotes,
  ChangeJobStatus,
  JobCommand,
  OpenCustomerMessage,
  OpenJob,
  ReceiveWorkOrder,
  RejectJob,
  RequestJob,
  SayJobNoLongerNeeded,
  ScheduleJob,
  UndoJobChange,
} from './commands.ts';
import { isJobEvent, type JobEvent } from './events.ts';
import { evolveJob, initialJobState, type JobState } from './state.ts';
import { hidesContact, isWorkingStatus, type WorkingStatus } from './statuses.ts';
import type { JobDetails } from './view.ts';

/** The life of a job (spec.md §4, DESIGN.md §9). */
export const jobDecider: Decider<JobState, JobCommand, JobEvent> = {
  decide: decideJob,
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
    case 'ScheduleJob':
      return scheduleJob(command, state);
    case 'ChangeJobStatus':
      return changeJobStatus(command, state);
    case 'ChangeJobNotes':
      return changeJobNotes(command, state);
    case 'OpenCustomerMessage':
      return openCustomerMessage(command, state);
    case 'OpenJob':
      return openJob(command, state);
    case 'SayJobNoLongerNeeded':
      return sayJobNoLongerNeeded(command, state);
    default:
      return command satisfies never;
  }
}

function requestJob(command: RequestJob, state: JobState): JobEvent[] {
  if (isRepeat(command, state)) return [];
  const { heldFor = null, ...request } = command.data;
  const { jobId, businessId } = request;
  return [
    { type: 'JobRequested', data: { ...request, requestedAt: command.at } },
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
  const job = ownJob(command, state);
  return isWorkingStatus(job.status) ? [] : [accepted(job, command.at)];
}

function rejectJob(command: RejectJob, state: JobState): JobEvent[] {
  const job = ownJob(command, state);
  if (job.status === 'Rejected') return [];
  if (job.status !== 'Pending') throw new IllegalTransitionError('Only a pending job can be rejected');
  return [{ type: 'JobRejected', data: { ...idsOf(job), rejectedAt: command.at } }];
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
  if (notes === job.notes) return [];
  return [{ type: 'JobNotesChanged', data: { ...idsOf(job), notes, changedAt: command.at } }];
}

function openCustomerMessage(command: OpenCustomerMessage, state: JobState): JobEvent[] {
  const job = ownJob(command, state);
  if (hidesContact(job.status)) throw new IllegalTransitionError('Accept the job to message the customer');
  const { kind } = command.data;
  return [{ type: 'CustomerMessageOpened', data: { ...idsOf(job), kind, openedAt: command.at } }];
}

function openJob(command: OpenJob, state: JobState): JobEvent[] {
  const job = ownJob(command, state);
  if (job.status !== 'Pending' || job.openedAt !== null) return [];
  return [{ type: 'JobOpened', data: { ...idsOf(job), openedAt: command.at } }];
}

function sayJobNoLongerNeeded(command: SayJobNoLongerNeeded, state: JobState): JobEvent[] {
  const job = ownJob(command, state);
  if (job.noLongerNeededAt !== null) return [];
  return [{ type: 'JobNoLongerNeeded', data: { ...idsOf(job), saidAt: command.at } }];
}

/** Another business's job and a job that never was look the same. */
export function ownJob({ data }: JobCommand | UndoJobChange, state: JobState): JobDetails {
  if (state === null || state.businessId !== data.businessId || state.id !== data.jobId) {
    throw new NotFoundError('Job not found');
  }
  return state;
}

/** The same job sent again is no new job. What differs in what never changes is another job under a taken id. */
function isRepeat({ type, data }: RequestJob | ReceiveWorkOrder | AddJob, state: JobState): boolean {
  if (state === null) return false;
  const sameOrigin = (type === 'ReceiveWorkOrder') === (state.type === 'WorkOrder');
  const sameIds = state.id === data.jobId && state.businessId === data.businessId;
  const sameContact = state.name === data.name && state.email === data.email && state.phone === data.phone;
  const sameWork = state.title === data.title && state.location.address === data.location.address;
  if (sameOrigin && sameIds && sameContact && sameWork) return true;
  throw new ConflictError('This job was already created with other details');
}

const idsOf = (job: JobDetails) => ({ jobId: job.id, businessId: job.businessId });

function accepted(job: JobDetails, at: string): JobEvent {
  return { type: 'JobAccepted', data: { ...idsOf(job), acceptedAt: at } };
}

function statusChanged(job: JobDetails, status: WorkingStatus, at: string): JobEvent {
  return status === 'Unsuccessful'
    ? { type: 'JobMarkedUnsuccessful', data: { ...idsOf(job), markedAt: at } }
    : { type: 'JobStatusChanged', data: { ...idsOf(job), status, changedAt: at } };
}
