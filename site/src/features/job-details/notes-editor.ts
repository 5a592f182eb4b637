import { atom, map, type ReadableAtom } from 'nanostores';
import type { JobView } from '#core/job/view.ts';
import { undoWithin } from '#core/values/time.ts';
import { undoOf } from '#site/jobs/changes/change-job.ts';
import { $waiting } from '#site/jobs/changes/changes-store.ts';
import { waitForSignal } from '#site/jobs/changes/wait-for-signal.ts';
import { jobDetails, storeJob } from '#site/jobs/job-stores.ts';
import { changeJob } from '#site/jobs/jobs-api.ts';
import { $isOnline, ApiError } from '#site/lib/http/api.ts';
import { retryDelay } from '#site/lib/http/query.ts';
import { type Drafts, draftsOf } from '#site/lib/offline/drafts.ts';
import { accountOf } from '#site/lib/session/session-storage.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { isNumber, isRecord, isText } from '#site/lib/shape.ts';
import { showUpdateFailed } from './change-job-store.ts';

/** The notes as the server has them, at a revision of the job. */
export type SavedNotes = Readonly<{ notes: string; revision: number }>;

/** What was typed, and the notes it was typed over. */
export type NotesDraft = Readonly<{ text: string; base: SavedNotes }>;

/**
 * `typing`: not saved yet. `queued`: sent with other changes once there is a signal. `waiting`: sent again when it may work, `limited` when the
 * server takes more. `refused`: the server does not take it.
 * `conflict`: `theirs` was saved elsewhere meanwhile, and the user chooses. `savedAt` in ms since the epoch.
 */
export type NotesState = Readonly<{
  text: string;
  phase: 'saved' | 'typing' | 'saving' | 'queued' | 'waiting' | 'limited' | 'refused' | 'conflict';
  theirs: string | null;
  savedAt: number | null;
}>;

/** What became of a save: the job as it is now, also where it was in conflict, or why it is not saved; `retryAfter` in seconds. */
export type Saving =
  | Readonly<{ outcome: 'saved' | 'conflict'; job: SavedNotes }>
  | Readonly<{ outcome: 'queued' | 'waiting' | 'refused' }>
  | Readonly<{ outcome: 'limited'; retryAfter: number }>;

export type NotesOptions = Readonly<{
  drafts: Drafts<NotesDraft>;
  /** Sends notes typed over a revision. Never rejects. */
  save(notes: string, revision: number): Promise<Saving>;
  /** How long typing rests before it is saved, in milliseconds. */
  pause?: number;
}>;

export type NotesEditor = Readonly<{
  $notes: ReadableAtom<NotesState>;
  /** Accepts the job as the server has it, now or after a change elsewhere. */
  meet(job: SavedNotes): void;
  /** Shows notes that wait for a signal, of an earlier page as well; null once none do. */
  showQueued(text: string | null): void;
  type(text: string): void;
  /** Sends what is not saved yet. */
  save(): Promise<void>;
  saveMine(): Promise<void>;
  takeTheirs(): void;
}>;

/** Notes of one job being edited: saved as typing pauses, never overwriting what was saved elsewhere meanwhile. */
export function createNotesEditor(met: SavedNotes, options: NotesOptions): NotesEditor {
  const { drafts, save: send, pause = 1_000 } = options;
  const draft = drafts.read();
  let base: SavedNotes = draft?.base ?? met;
  let current = base;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | null = null;
  /** Until when the server takes no more, in ms since the epoch. */
  let limitedUntil = 0;
  const state = atom<NotesState>({
    ...{ text: draft?.text ?? met.notes, phase: draft ? 'typing' : 'saved', theirs: null, savedAt: null },
  });
  let queued: string | null = null;
  const set = (change: Partial<NotesState>) => state.set({ ...state.get(), ...change });

  function settle({ notes, revision }: SavedNotes): void {
    current = { notes, revision };
    base = current;
    drafts.remove();
    set({ text: notes, phase: 'saved', theirs: null });
  }

  function meet(job: SavedNotes): void {
    if (!running && job.revision >= current.revision) take(job);
  }

  function take({ notes, revision }: SavedNotes): void {
    const { text, phase } = state.get();
    current = { notes, revision };
    if (phase === 'queued' && text === notes) set({ savedAt: Date.now() });
    if (phase === 'saved' || text === notes) settle(current);
    else if (phase === 'queued') return;
    else if (notes === base.notes) rebase();
    else set({ phase: 'conflict', theirs: notes });
  }

  function rebase(): void {
    base = current;
    drafts.write({ text: state.get().text, base });
    if (state.get().phase === 'conflict') set({ phase: 'typing', theirs: null });
  }

  function showQueued(text: string | null): void {
    const { phase } = state.get();
    queued = text;
    if (text !== null && (phase === 'saved' || phase === 'queued')) set({ text, phase: 'queued' });
    if (text === null && phase === 'queued') settle(current);
  }

  function type(text: string): void {
    drafts.write({ text, base });
    clearTimeout(timer);
    const isConflict = state.get().phase === 'conflict';
    const isLimited = Date.now() < limitedUntil;
    set(isConflict ? { text } : { text, phase: isLimited ? 'limited' : 'typing' });
    if (!isConflict) timer = setTimeout(() => void save(), Math.max(pause, limitedUntil - Date.now()));
  }

  function save(): Promise<void> {
    clearTimeout(timer);
    if (['saved', 'queued', 'conflict'].includes(state.get().phase)) return Promise.resolve();
    if (Date.now() < limitedUntil && state.get().text !== base.notes) {
      set({ phase: 'limited' });
      timer = setTimeout(() => void save(), limitedUntil - Date.now());
      return Promise.resolve();
    }
    running ??= sendOnce().finally(() => {
      running = null;
    });
    return running;
  }

  async function sendOnce(): Promise<void> {
    const { text } = state.get();
    if (text === base.notes && queued === null) return settle(base);
    set({ phase: 'saving' });
    const result = await send(text, base.revision);
    const isSame = state.get().text === text;
    if (result.outcome === 'conflict') {
      take(result.job);
      // Changed elsewhere and changed back: nothing to choose between, so what was typed goes over it.
      if (['typing', 'saving'].includes(state.get().phase)) type(state.get().text);
      return;
    }
    if (result.outcome === 'saved') {
      set({ savedAt: Date.now() });
      if (isSame) return settle(result.job);
      const { notes, revision } = result.job;
      current = { notes, revision };
      rebase();
    } else if (result.outcome === 'limited') {
      limitedUntil = Date.now() + result.retryAfter * 1_000;
      return type(state.get().text);
    } else if (isSame) {
      // The queue stores them from now on, for every tab.
      if (result.outcome === 'queued') drafts.remove();
      if (result.outcome === 'queued' && text === base.notes) return settle(base);
      return set({ phase: result.outcome });
    }
    type(state.get().text);
  }

  async function saveMine(): Promise<void> {
    rebase();
    await save();
  }

  meet(met);
  return { $notes: state, meet, showQueued, type, save, saveMine, takeTheirs: () => settle(current) };
}

const isNotesDraft = isRecord({ text: isText, base: isRecord({ notes: isText, revision: isNumber }) });

const editors = new Map<string, NotesEditor>();

/** The revision of the first saving since the field was last entered, by job id: what Undo goes back before. */
const editedSince = new Map<string, number>();

/** What takes the last edit back, by job id. */
const notesUndo = map<Record<string, (() => Promise<void>) | undefined>>({});
export const $notesUndo = notesUndo;

function offerUndo(jobId: string, undo: () => Promise<void>): void {
  notesUndo.setKey(jobId, undo);
  setTimeout(() => {
    if (notesUndo.get()[jobId] === undo) notesUndo.setKey(jobId, undefined);
  }, undoWithin);
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
  const before = jobDetails(jobId).$state.get().data?.notes ?? '';
  const change = { notes, over: { notes: before, revision } };
  try {
    if ($waiting.get()[jobId] && (await waitForSignal(jobId, change))) return { outcome: 'queued' };
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
    if (payload.job) return { outcome: 'conflict', job: payload.job };
    if (status === 429) return { outcome: 'limited', retryAfter: retryAfter ?? 60 };
    if (await waitForSignal(jobId, change, error)) return { outcome: 'queued' };
    if (!navigator.onLine) return { outcome: 'waiting' };
    showUpdateFailed(error);
    return { outcome: isTransient ? 'waiting' : 'refused' };
  }
}
