import { atom, type ReadableAtom } from 'nanostores';
import type { Drafts } from '#site/lib/offline/drafts.ts';

/** The notes as the server has them, at a revision of the job. */
export type SavedNotes = Readonly<{ notes: string; revision: number }>;

/** What was typed, and the notes it was typed over. */
export type NotesDraft = Readonly<{ text: string; base: SavedNotes }>;

/**
 * `typing`: not saved yet. `waiting`: sent again when it may work, `limited` when the server takes more. `refused`: the server does not take it.
 * `conflict`: `theirs` was saved elsewhere meanwhile, and the user chooses. `savedAt` in ms since the epoch.
 */
export type NotesState = Readonly<{
  text: string;
  phase: 'saved' | 'typing' | 'saving' | 'waiting' | 'limited' | 'refused' | 'conflict';
  theirs: string | null;
  savedAt: number | null;
}>;

/** What became of a save: the job as it is now, also where it was in conflict, or why it is not saved; `retryAfter` in seconds. */
export type Saving =
  | Readonly<{ outcome: 'saved' | 'conflict'; job: SavedNotes }>
  | Readonly<{ outcome: 'waiting' | 'refused' }>
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
    if (phase === 'saved' || text === notes) settle(current);
    else if (notes === base.notes) rebase();
    else set({ phase: 'conflict', theirs: notes });
  }

  function rebase(): void {
    base = current;
    drafts.write({ text: state.get().text, base });
    if (state.get().phase === 'conflict') set({ phase: 'typing', theirs: null });
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
    if (['saved', 'conflict'].includes(state.get().phase)) return Promise.resolve();
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
    if (text === base.notes) return settle(base);
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
    } else if (isSame) return set({ phase: result.outcome });
    type(state.get().text);
  }

  async function saveMine(): Promise<void> {
    rebase();
    await save();
  }

  meet(met);
  return { $notes: state, meet, type, save, saveMine, takeTheirs: () => settle(current) };
}
