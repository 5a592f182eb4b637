import type { JobAdded, JobEvent, JobRequested, WorkOrderReceived } from './events.ts';
import type { JobFacts } from './view.ts';

/** A job after its history; null before its first event. It holds what answers show, so that they need no read model. */
export type JobState = JobFacts | null;

export const initialJobState: JobState = null;

/** The job after one more fact. A fact that does not fit changes nothing but the revision. */
export function evolveJob(state: JobState, event: JobEvent): JobState {
  if (state === null) return opened(event);
  return { ...state, ...changes(state, event), revision: state.revision + 1 };
}

function opened(event: JobEvent): JobState {
  switch (event.type) {
    case 'JobRequested':
      return { ...common(event), ...requested(event) };
    case 'WorkOrderReceived':
      return { ...common(event), ...received(event) };
    case 'JobAdded':
      return { ...common(event), ...added(event) };
    default:
      return null;
  }
}

function changes({ openedAt }: JobFacts, event: JobEvent): Partial<JobFacts> {
  switch (event.type) {
    case 'JobAccepted':
      return { status: 'To quote', openedAt: openedAt ?? event.data.acceptedAt, heldFor: null };
    case 'JobRejected':
      return { status: 'Rejected', openedAt: openedAt ?? event.data.rejectedAt, heldFor: null };
    case 'JobScheduled':
    case 'JobScheduleRestored':
      return { scheduledAt: event.data.scheduledAt };
    case 'JobStatusChanged':
    case 'JobStatusRestored':
      return { status: event.data.status };
    case 'JobMarkedUnsuccessful':
      return { status: 'Unsuccessful', scheduledAt: null };
    case 'JobNotesChanged':
    case 'JobNotesRestored':
      return { notes: event.data.notes };
    case 'JobOpened':
      return { openedAt: event.data.openedAt };
    case 'JobNoLongerNeeded':
      return { noLongerNeededAt: event.data.saidAt };
    case 'JobHeld':
      return { heldFor: event.data.heldFor };
    default:
      return {};
  }
}

function common({ data }: JobRequested | WorkOrderReceived | JobAdded) {
  const { jobId, businessId, name, email, phone, title, location } = data;
  const untouched = { openedAt: null, noLongerNeededAt: null, heldFor: null, revision: 0 } as const;
  return { id: jobId, businessId, name, email, phone, title, location, ...untouched };
}

function requested({ data }: JobRequested) {
  const { description, isUrgent, wishedTime, answers, media, requestedAt } = data;
  const consumer = { type: 'Consumer', status: 'Pending', scheduledAt: null, notes: '' } as const;
  return { ...consumer, description, isUrgent, wishedTime, answers, media, createdAt: requestedAt };
}

function received({ data }: WorkOrderReceived) {
  const { description, isUrgent, scheduledAt, receivedAt } = data;
  const workOrder = { type: 'WorkOrder', status: 'Pending', notes: '', wishedTime: '' } as const;
  return { ...workOrder, description, isUrgent, scheduledAt, answers: [], media: [], createdAt: receivedAt };
}

function added({ data }: JobAdded) {
  const { notes, scheduledAt, addedAt } = data;
  const byHand = { type: 'Consumer', status: 'To quote', description: '', wishedTime: '' } as const;
  return { ...byHand, isUrgent: false, notes, scheduledAt, answers: [], media: [], createdAt: addedAt };
}
