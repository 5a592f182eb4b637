import type { JobEvent, MessageKind } from './events.ts';
import { evolveJob, type JobState } from './state.ts';
import { hidesContact, type JobStatus } from './statuses.ts';

/** An event of a job and who caused it; `event` is absent where it cannot be read. */
export type Told = Readonly<{ revision: number; at: string; actor: string; event?: JobEvent | undefined }>;

type Said = Readonly<
  | {
      what: 'requested' | 'ordered' | 'added' | 'opened' | 'contact-seen' | 'not-needed' | 'unreadable';
      from: null;
      to: null;
    }
  | { what: 'accepted' | 'rejected' | 'status'; from: string; to: string }
  | { what: 'schedule'; from: string | null; to: string | null }
  | { what: 'notes'; from: string; to: string }
  | { what: 'message'; from: null; to: MessageKind }
>;

/**
 * One thing that happened to a job: statuses by name, times as instants, notes in full. No email or phone: a history is
 * shown whatever the status. `undo` says that it took an earlier change back. `actor` is as in the event's metadata.
 */
export type StoryEntry = Said & Readonly<{ revision: number; at: string; actor: string; undo: boolean }>;

const CAME = { JobRequested: 'requested', WorkOrderReceived: 'ordered', JobAdded: 'added' } as const;

/** What happened to a job, newest first. An event that changed two things is told as two. */
export function jobStory(history: readonly Told[]): StoryEntry[] {
  let state: JobState = null;
  const entries: StoryEntry[] = [];
  for (const { event, revision, at, actor } of history) {
    const next: JobState = event ? evolveJob(state, event) : state;
    const isUndo = event !== undefined && 'undone' in event.data;
    const said = event ? tell(event, state, next) : [{ what: 'unreadable', from: null, to: null } as const];
    for (const one of said) {
      entries.push({ ...one, revision, at, actor, undo: isUndo && one.what !== 'contact-seen' });
    }
    state = next;
  }
  return entries.reverse();
}

function tell(event: JobEvent, before: JobState, after: JobState): Said[] {
  if (before === null || after === null) {
    const came = Object.hasOwn(CAME, event.type) ? CAME[event.type as keyof typeof CAME] : undefined;
    return came ? [{ what: came, from: null, to: null }] : [];
  }
  const move = { from: before.status, to: after.status };
  switch (event.type) {
    case 'JobAccepted':
      return [{ what: 'accepted', ...move }];
    case 'JobRejected':
      return [{ what: 'rejected', ...move }];
    case 'JobStatusChanged':
      return [{ what: 'status', ...move }];
    case 'JobStatusRestored':
      return [...(hidesAgain(before, after) ? [contactSeen] : []), { what: 'status', ...move }];
    case 'JobMarkedUnsuccessful': {
      const off = before.scheduledAt === null ? [] : [schedule(before.scheduledAt, null)];
      return [{ what: 'status', ...move }, ...off];
    }
    case 'JobScheduled':
    case 'JobScheduleRestored':
      return [schedule(before.scheduledAt, after.scheduledAt)];
    case 'JobNotesChanged':
    case 'JobNotesRestored':
      return [{ what: 'notes', from: before.notes, to: after.notes }];
    case 'JobOpened':
      return [{ what: 'opened', from: null, to: null }];
    case 'JobNoLongerNeeded':
      return [{ what: 'not-needed', from: null, to: null }];
    case 'CustomerMessageOpened':
      return [{ what: 'message', from: null, to: event.data.kind }];
    default:
      return [];
  }
}

const contactSeen: Said = { what: 'contact-seen', from: null, to: null };

/** Whether the customer's contact, which every answer since the acceptance held, is withheld from now on. */
export function hidesAgain(
  before: Readonly<{ status: JobStatus }>,
  after: Readonly<{ status: JobStatus }>,
): boolean {
  return hidesContact(after.status) && !hidesContact(before.status);
}

function schedule(from: string | null, to: string | null): Said {
  return { what: 'schedule', from, to };
}
