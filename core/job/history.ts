import { ERASED } from '#core/values/stored-details.ts';
import { instantWords } from '#core/values/time.ts';
import { actionWords, type EntryContent, originEntries, plainEntries } from './history-words.ts';
import { evolveJob, type JobEvent, type JobState } from './job.ts';
import { picturesIn } from './photos/view.ts';
import { isOrigin } from './request/events.ts';
import { hidesContact, type JobStatus } from './status/statuses.ts';

/** An event of a job and who caused it; `event` is absent where it cannot be read. */
export type CausedEvent = Readonly<{
  revision: number;
  at: string;
  actor: string;
  event?: JobEvent | undefined;
}>;

/**
 * One thing that happened to a job: statuses by name, times as instants, notes in full. No email or phone: a history is
 * shown whatever the status; only what the customer wrote in a correction may hold some, and `api/jobs/history.ts` hides it. `undo` says that it took an earlier change back. `actor` is as in the event's metadata.
 */
export type JobHistoryEntry = EntryContent &
  Readonly<{ revision: number; at: string; actor: string; undo: boolean }>;

/**
 * What happened to a job, newest first; of one whose customer was erased without the texts, also while the key that opens
 * them is still there. An event that changed two things has two entries.
 */
export function historyEntries(history: readonly CausedEvent[]): JobHistoryEntry[] {
  let state: JobState = null;
  const entries: JobHistoryEntry[] = [];
  const isErased = history.some(({ event }) => event?.type === 'JobCustomerErased');
  for (const { event, revision, at, actor } of history) {
    const next: JobState = event ? evolveJob(state, event) : state;
    const isUndo = event !== undefined && 'undone' in event.data;
    const contents = event
      ? contentsOf(event, state, next)
      : [{ what: 'unreadable', from: null, to: null } as const];
    for (const one of contents) {
      const shown = isErased ? withoutTexts(one) : one;
      entries.push({ ...shown, revision, at, actor, undo: isUndo && one.what !== 'contact-seen' });
    }
    state = next;
  }
  return entries.reverse();
}

function contentsOf(event: JobEvent, before: JobState, after: JobState): EntryContent[] {
  if (before === null || after === null) {
    return isOrigin(event) ? [origin(event)] : [];
  }
  if (isPlain(event)) return [{ what: plainEntries[event.type].what, from: null, to: null }];
  const move = { from: before.status, to: after.status };
  switch (event.type) {
    case 'JobAccepted':
      return [{ what: 'accepted', ...move }];
    case 'JobRejected':
      return [{ what: 'rejected', ...move }];
    case 'JobRejectionExplained':
      return [{ what: 'rejection-explained', from: null, to: event.data.reason }];
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
    case 'JobPhotoAdded':
      return [{ what: 'photo-added', from: null, to: event.data.stage }];
    case 'CustomerCorrectionAsked':
      return [{ what: 'correction-asked', from: null, to: event.data.text }];
    case 'CustomerCorrectionAnswered': {
      const { asked, answer } = event.data;
      const to = before.corrections.find(({ revision }) => revision === asked)?.text ?? '';
      return [{ what: `correction-${answer}`, from: null, to }];
    }
    case 'CustomerRemovalRefused':
      return [{ what: 'removal-refused', from: null, to: event.data.reason }];
    case 'CustomerMessageOpened':
      return [{ what: 'message', from: null, to: event.data.kind }];
    // How a job comes is an entry only at its beginning; that a request is held shows in the job itself.
    case 'JobRequested':
    case 'WorkOrderReceived':
    case 'JobAdded':
    case 'JobHeld':
      return [];
    default:
      return event satisfies never;
  }
}

function origin(event: Extract<JobEvent, { type: keyof typeof originEntries }>): EntryContent {
  const photos = 'media' in event.data ? picturesIn(event.data.media) : 0;
  return {
    ...{ what: originEntries[event.type].what, from: null, to: null },
    ...(photos > 0 ? { photos } : {}),
  };
}

function isPlain(event: JobEvent): event is Extract<JobEvent, { type: keyof typeof plainEntries }> {
  return Object.hasOwn(plainEntries, event.type);
}

function withoutTexts(entry: EntryContent): EntryContent {
  if (entry.what === 'notes') return { ...entry, from: ERASED, to: ERASED };
  return isCorrection(entry) || entry.what === 'rejection-explained' ? { ...entry, to: ERASED } : entry;
}

/** Whether an entry holds what the customer wrote by the link of their receipt, which may hold contact. */
export function isCorrection<Entry extends Readonly<{ what: string }>>(
  entry: Entry,
): entry is Extract<Entry, { what: `correction-${string}` }> {
  return entry.what.startsWith('correction-');
}

const contactSeen: EntryContent = { what: 'contact-seen', from: null, to: null };

/** Whether the customer's contact, which every answer since the acceptance held, is withheld from now on. */
export function hidesAgain(
  before: Readonly<{ status: JobStatus }>,
  after: Readonly<{ status: JobStatus }>,
): boolean {
  return hidesContact(after.status) && !hidesContact(before.status);
}

function schedule(from: string | null, to: string | null): EntryContent {
  return { what: 'schedule', from, to };
}

/** An entry as a sentence, `who` in front: "Dave moved the job from … to …". Times are those of the zone. */
export function entryWords(entry: JobHistoryEntry, who: string, timeZone: string): string {
  const action = actionWords(entry, { besideJob: false, when: (at) => instantWords(at, timeZone) });
  return `${who} ${entry.undo ? 'undid a change: ' : ''}${action.join(' ')}`;
}
