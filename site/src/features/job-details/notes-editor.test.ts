import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Drafts } from '#site/lib/offline/drafts.ts';
import { createNotesEditor, type NotesDraft, type SavedNotes, type Saving } from './notes-editor.ts';

const met: SavedNotes = { notes: 'Side gate', revision: 3 };
let stored: NotesDraft | null;
const drafts: Drafts<NotesDraft> = {
  read: () => stored,
  write: (draft) => void (stored = draft),
  remove: () => void (stored = null),
};
const save = vi.fn<(notes: string, revision: number) => Promise<Saving>>();
const open = (job = met) => createNotesEditor(job, { drafts, save });
const saved = (notes: string, revision: number): Saving => ({ outcome: 'saved', job: { notes, revision } });

beforeEach(() => {
  stored = null;
  save.mockReset();
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

test('is saved as typing pauses, over the revision it was typed on', async () => {
  const editor = open();
  save.mockResolvedValueOnce(saved('Side gate, dog', 4));
  editor.type('Side gate, d');
  await vi.advanceTimersByTimeAsync(900);
  editor.type('Side gate, dog');
  expect(editor.$notes.get().phase).toBe('typing');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(save).toHaveBeenCalledExactlyOnceWith('Side gate, dog', 3);
  expect(editor.$notes.get()).toMatchObject({ phase: 'saved', text: 'Side gate, dog' });
  expect(stored).toBeNull();
});

test('is saved at once when the field is left, and only what changed is sent', async () => {
  const editor = open();
  await editor.save();
  editor.type('Side gate!');
  editor.type('Side gate');
  await editor.save();
  expect(save).not.toHaveBeenCalled();
  expect(editor.$notes.get().phase).toBe('saved');
});

test('without a network it waits in the tab, and is sent when asked again', async () => {
  const editor = open();
  save.mockResolvedValueOnce({ outcome: 'waiting' }).mockResolvedValueOnce(saved('Ring first', 4));
  editor.type('Ring first');
  await editor.save();
  expect(editor.$notes.get().phase).toBe('waiting');
  expect(stored).toEqual({ text: 'Ring first', base: met });
  await editor.save();
  expect(editor.$notes.get().phase).toBe('saved');
});

test('what the server takes only later stays in the tab, and is sent when it takes more', async () => {
  const editor = open();
  save.mockResolvedValueOnce({ outcome: 'limited', retryAfter: 60 }).mockResolvedValueOnce(saved('Ring', 4));
  editor.type('Ring');
  await editor.save();
  expect(editor.$notes.get()).toMatchObject({ phase: 'limited', text: 'Ring' });
  expect(stored).toEqual({ text: 'Ring', base: met });
  await editor.save();
  await vi.advanceTimersByTimeAsync(59_000);
  expect(save).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(editor.$notes.get().phase).toBe('saved');
});

test('what is typed while the server refuses more waits as long', async () => {
  const editor = open();
  let answer: (saving: Saving) => void = () => undefined;
  save.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  save.mockResolvedValueOnce(saved('Ring first!', 4));
  editor.type('Ring');
  const first = editor.save();
  editor.type('Ring first');
  answer({ outcome: 'limited', retryAfter: 60 });
  await first;
  expect(editor.$notes.get()).toMatchObject({ phase: 'limited', text: 'Ring first' });
  await vi.advanceTimersByTimeAsync(30_000);
  editor.type('Ring first!');
  await vi.advanceTimersByTimeAsync(29_000);
  expect(save).toHaveBeenCalledTimes(1);
  expect(stored).toEqual({ text: 'Ring first!', base: met });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(save).toHaveBeenLastCalledWith('Ring first!', 3);
  expect(editor.$notes.get()).toMatchObject({ phase: 'saved', text: 'Ring first!' });
});

test('a draft of this tab is there again after a reload', () => {
  stored = { text: 'Ring first', base: met };
  const editor = open({ ...met, revision: 6 });
  expect(editor.$notes.get()).toMatchObject({ text: 'Ring first', phase: 'typing' });
  expect(stored.base).toEqual({ ...met, revision: 6 });
});

test('what is typed while a save is under way is saved after it, over its revision', async () => {
  const editor = open();
  let answer: (saving: Saving) => void = () => undefined;
  save.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  editor.type('One');
  const first = editor.save();
  editor.type('One two');
  answer(saved('One', 4));
  await first;
  save.mockResolvedValueOnce(saved('One two', 5));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(save).toHaveBeenLastCalledWith('One two', 4);
  expect(editor.$notes.get()).toMatchObject({ phase: 'saved', text: 'One two' });
});

test('notes that the user is not typing follow what others save', () => {
  const editor = open();
  editor.meet({ notes: 'Front door', revision: 5 });
  expect(editor.$notes.get()).toMatchObject({ phase: 'saved', text: 'Front door' });
  editor.meet(met);
  expect(editor.$notes.get().text).toBe('Front door');
});

test('a stale note is offered beside the current one, and the user saves theirs or takes the other', async () => {
  const editor = open();
  const current = { notes: 'Front door', revision: 5 };
  save.mockResolvedValueOnce({ outcome: 'conflict', job: current });
  editor.type('Ring first');
  await editor.save();
  expect(editor.$notes.get()).toMatchObject({ phase: 'conflict', text: 'Ring first', theirs: 'Front door' });
  editor.type('Ring first!');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(save).toHaveBeenCalledTimes(1);
  save.mockResolvedValueOnce(saved('Ring first!', 6));
  await editor.saveMine();
  expect(save).toHaveBeenLastCalledWith('Ring first!', 5);
  expect(editor.$notes.get()).toMatchObject({ phase: 'saved', theirs: null });
});

test('notes that were changed elsewhere and changed back are no conflict: what was typed is saved over them', async () => {
  const editor = open();
  save.mockResolvedValueOnce({ outcome: 'conflict', job: { ...met, revision: 5 } });
  editor.type('Ring first');
  await editor.save();
  save.mockResolvedValueOnce(saved('Ring first', 6));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(save).toHaveBeenLastCalledWith('Ring first', 5);
  expect(editor.$notes.get()).toMatchObject({ phase: 'saved', text: 'Ring first' });
});

test('taking the other note drops the own one', () => {
  const editor = open();
  editor.type('Ring first');
  editor.meet({ notes: 'Front door', revision: 5 });
  expect(editor.$notes.get().phase).toBe('conflict');
  editor.takeTheirs();
  expect(editor.$notes.get()).toMatchObject({ phase: 'saved', text: 'Front door', theirs: null });
  expect(stored).toBeNull();
});

test('another change of the job leaves what is being typed alone', () => {
  const editor = open();
  editor.type('Ring first');
  editor.meet({ ...met, revision: 9 });
  expect(editor.$notes.get()).toMatchObject({ phase: 'typing', text: 'Ring first' });
});

test('without a signal it is queued: no draft of the tab is left, and it is saved once the server has it', async () => {
  const editor = open();
  save.mockResolvedValueOnce({ outcome: 'queued' });
  editor.type('Ring first');
  await editor.save();
  expect([editor.$notes.get().phase, stored]).toEqual(['queued', null]);
  editor.showQueued('Ring first');
  await editor.save();
  expect(save).toHaveBeenCalledTimes(1);
  editor.meet({ notes: 'Ring first', revision: 4 });
  expect(editor.$notes.get()).toMatchObject({
    phase: 'saved',
    text: 'Ring first',
    savedAt: expect.any(Number),
  });
});

test('notes that an earlier page queued are shown, and the saved ones once they are taken back', () => {
  const editor = open();
  editor.showQueued('Ring first');
  expect(editor.$notes.get()).toMatchObject({ phase: 'queued', text: 'Ring first' });
  editor.meet({ notes: 'Back door', revision: 5 });
  expect(editor.$notes.get()).toMatchObject({ phase: 'queued', text: 'Ring first' });
  editor.showQueued(null);
  expect(editor.$notes.get()).toMatchObject({ phase: 'saved', text: 'Back door' });
});

test('queued notes that are typed back to what is saved are taken out of the queue', async () => {
  const editor = open();
  editor.showQueued('Ring first');
  save.mockResolvedValueOnce({ outcome: 'queued' });
  editor.type('Side gate');
  await editor.save();
  expect(save).toHaveBeenCalledExactlyOnceWith('Side gate', 3);
  expect(editor.$notes.get()).toMatchObject({ phase: 'saved', text: 'Side gate' });
});
