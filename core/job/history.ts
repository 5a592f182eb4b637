import { ERASED } from '#core/kernel/event.ts';
import type { KeepReason } from '#core/values/stored-details.ts';
import { instantWords } from '#core/values/time.ts';
import { type MessageKind, messageLabels } from './customer-messages.ts';
import type { JobEvent } from './events.ts';
import { type PhotoStage, photoStageWords } from './photo-stages.ts';
import { evolveJob, type JobState } from './state.ts';
import { hidesContact, type JobStatus } from './statuses.ts';

/** An event of a job and who caused it; `event` is absent where it cannot be read. */
export type CausedEvent = Readonly<{
  revision: number;
  at: string;
  actor: string;
  event?: JobEvent | undefined;
}>;

type EntryContent = Readonly<
  | {
      what:
        | 'requested'
        | 'ordered'
        | 'added'
        | 'opened'
        | 'contact-seen'
        | 'not-needed'
        | 'record'
        | 'photo-described'
        | 'photo-removed'
        | 'dispute-opened'
        | 'dispute-closed'
        | 'details-corrected'
        | 'removal-asked'
        | 'erasure-planned'
        | 'erasure-cancelled'
        | 'erased'
        | 'unreadable';
      from: null;
      to: null;
    }
  | { what: 'accepted' | 'rejected' | 'status'; from: string; to: string }
  | { what: 'schedule'; from: string | null; to: string | null }
  | { what: 'notes'; from: string; to: string }
  | { what: 'correction-asked' | 'correction-agreed' | 'correction-refused'; from: null; to: string }
  | { what: 'removal-refused'; from: null; to: KeepReason }
  | { what: 'message'; from: null; to: MessageKind }
  | { what: 'photo-added'; from: null; to: PhotoStage }
>;

/**
 * One thing that happened to a job: statuses by name, times as instants, notes in full. No email or phone: a history is
 * shown whatever the status; only what the customer wrote in a correction may hold some, and `api/jobs/history.ts` hides it. `undo` says that it took an earlier change back. `actor` is as in the event's metadata.
 */
export type JobHistoryEntry = EntryContent &
  Readonly<{ revision: number; at: string; actor: string; undo: boolean }>;

const ORIGINS = { JobRequested: 'requested', WorkOrderReceived: 'ordered', JobAdded: 'added' } as const;

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
    const origin = Object.hasOwn(ORIGINS, event.type)
      ? ORIGINS[event.type as keyof typeof ORIGINS]
      : undefined;
    return origin ? [{ what: origin, from: null, to: null }] : [];
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
    case 'JobPhotoAdded':
      return [{ what: 'photo-added', from: null, to: event.data.stage }];
    case 'JobPhotoDescribed':
      return [{ what: 'photo-described', from: null, to: null }];
    case 'JobPhotoRemoved':
      return [{ what: 'photo-removed', from: null, to: null }];
    case 'JobRecordIssued':
      return [{ what: 'record', from: null, to: null }];
    case 'CustomerCorrectionAsked':
      return [{ what: 'correction-asked', from: null, to: event.data.text }];
    case 'CustomerCorrectionAnswered': {
      const { asked, answer } = event.data;
      const to = before.corrections.find(({ revision }) => revision === asked)?.text ?? '';
      return [{ what: `correction-${answer}`, from: null, to }];
    }
    case 'CustomerDetailsCorrected':
      return [{ what: 'details-corrected', from: null, to: null }];
    case 'CustomerRemovalAsked':
      return [{ what: 'removal-asked', from: null, to: null }];
    case 'CustomerRemovalRefused':
      return [{ what: 'removal-refused', from: null, to: event.data.reason }];
    case 'JobDisputeOpened':
      return [{ what: 'dispute-opened', from: null, to: null }];
    case 'JobDisputeClosed':
      return [{ what: 'dispute-closed', from: null, to: null }];
    case 'CustomerErasurePlanned':
      return [{ what: 'erasure-planned', from: null, to: null }];
    case 'CustomerErasureCancelled':
      return [{ what: 'erasure-cancelled', from: null, to: null }];
    case 'JobCustomerErased':
      return [{ what: 'erased', from: null, to: null }];
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

function withoutTexts(entry: EntryContent): EntryContent {
  if (entry.what === 'notes') return { ...entry, from: ERASED, to: ERASED };
  return isCorrection(entry) ? { ...entry, to: ERASED } : entry;
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
  return `${who} ${entry.undo ? 'undid a change: ' : ''}${actionWords(entry, (at) => instantWords(at, timeZone))}`;
}

function actionWords(entry: JobHistoryEntry, when: (instant: string) => string): string {
  switch (entry.what) {
    case 'requested':
      return 'asked for this job';
    case 'ordered':
      return 'sent this work order';
    case 'added':
      return 'added this job';
    case 'opened':
      return 'opened the job';
    case 'contact-seen':
      return 'saw the contact details while the job was accepted';
    case 'not-needed':
      return 'said that this job is no longer needed';
    case 'photo-added':
      return `added ${photoStageWords[entry.to]}`;
    case 'photo-described':
      return 'changed what a photo shows';
    case 'photo-removed':
      return 'removed a photo';
    case 'record':
      return 'made a record of the job';
    case 'correction-asked':
      return `asked for a correction: ${entry.to}`;
    case 'correction-agreed':
      return `agreed to the correction: ${entry.to}`;
    case 'correction-refused':
      return `did not agree to the correction, which stays as the customer's statement: ${entry.to}`;
    case 'details-corrected':
      return "corrected the customer's details";
    case 'dispute-opened':
      return 'noted a dispute: nothing is removed';
    case 'dispute-closed':
      return 'closed the dispute';
    case 'removal-asked':
      return 'asked to remove their details';
    case 'removal-refused':
      return 'answered that the details stay';
    case 'erasure-planned':
      return "began to remove the customer's details";
    case 'erasure-cancelled':
      return "kept the customer's details after all";
    case 'erased':
      return "removed the customer's details";
    case 'accepted':
      return 'accepted the job';
    case 'rejected':
      return 'rejected the job';
    case 'status':
      return `changed the status from ${entry.from} to ${entry.to}`;
    case 'schedule':
      return moved(entry.from && when(entry.from), entry.to && when(entry.to));
    case 'notes':
      return entry.to === '' ? 'cleared the notes' : entry.from === '' ? 'wrote notes' : 'changed the notes';
    case 'message':
      return `opened a message: ${messageLabels[entry.to]}`;
    case 'unreadable':
      return 'did something that cannot be read';
    default:
      return entry satisfies never;
  }
}

function moved(from: string | null, to: string | null): string {
  if (to === null) return `took the job off the schedule, it was ${from}`;
  return from === null ? `scheduled the job for ${to}` : `moved the job from ${from} to ${to}`;
}
