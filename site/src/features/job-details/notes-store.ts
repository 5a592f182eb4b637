import { map } from 'nanostores';
import type { JobView } from '#core/job/view.ts';
import { storeJob } from '#site/jobs/job-details-store.ts';
import { changeJob } from '#site/jobs/jobs-api.ts';
import { undoOf } from '#site/jobs/undo.ts';
import { ApiError } from '#site/lib/http/api.ts';
import { retryDelay } from '#site/lib/http/retry.ts';
import { draftsOf } from '#site/lib/offline/drafts.ts';
import { $isOnline } from '#site/lib/offline/network-store.ts';
import { accountOf } from '#site/lib/session/session-storage.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { isNumber, isRecord, isText } from '#site/lib/shape.ts';
import { showUpdateFailed } from './change-job-store.ts';
import { createNotesEditor, type NotesDraft, type NotesEditor, type Saving } from './notes-editor.ts';

const isNotesDraft = isRecord({ text: isText, base: isRecord({ notes: isText, revision: isNumber }) });

const editors = new Map<string, NotesEditor>();

/** The revision of the first saving since the field was last entered, by job id: what Undo goes back before. */
const editedSince = new Map<string, number>();

/** What takes the last edit back, by job id. */
const notesUndo = map<Record<string, (() => Promise<void>) | undefined>>({});
export const $notesUndo = notesUndo;

/** How long the server takes an edit back, in milliseconds. */
const undoTime = 60_000;

function offerUndo(jobId: string, undo: () => Promise<void>): void {
  notesUndo.setKey(jobId, undo);
  setTimeout(() => {
    if (notesUndo.get()[jobId] === undo) notesUndo.setKey(jobId, undefined);
  }, undoTime);
}

/** The field is entered: what is saved from now on is one edit. */
export function beginEdit(jobId: string): void {
  editedSince.delete(jobId);
}

/** The editor of a job's notes. What was not saved is stored in this tab and sent once there is a network again. */
export function notesEditor(job: JobView): NotesEditor {
  const known = editors.get(job.id);
  if (known) return known;
  let failures = 0;
  const editor = createNotesEditor(job, {
    drafts: draftsOf<NotesDraft>(`notes:${job.id}`, accountOf($session.get()?.token ?? ''), isNotesDraft),
    async save(notes, revision) {
      const saving = await send(job.id, notes, revision);
      failures = saving.outcome === 'waiting' ? failures + 1 : 0;
      if (failures > 0) setTimeout(() => void editor.save(), retryDelay(failures, null));
      return saving;
    },
  });
  $isOnline.listen((isOnline) => isOnline && void editor.save());
  addEventListener('pagehide', () => void editor.save());
  editors.set(job.id, editor);
  void editor.save();
  return editor;
}

async function send(jobId: string, notes: string, revision: number): Promise<Saving> {
  if (!navigator.onLine) return { outcome: 'waiting' };
  try {
    const job = await changeJob(jobId, { notes, revision });
    storeJob(job);
    const since = editedSince.get(jobId) ?? job.revision;
    editedSince.set(jobId, since);
    offerUndo(jobId, async () => {
      beginEdit(jobId);
      notesUndo.setKey(jobId, undefined);
      await undoOf(job, since)();
    });
    return { outcome: 'saved', job };
  } catch (error) {
    const { status, payload, isTransient, retryAfter } =
      error instanceof ApiError ? error : new ApiError('', 0);
    if (status === 409 && payload.job) return { outcome: 'conflict', job: payload.job as JobView };
    if (status === 429) return { outcome: 'limited', retryAfter: retryAfter ?? 60 };
    showUpdateFailed(error);
    return { outcome: isTransient ? 'waiting' : 'refused' };
  }
}
