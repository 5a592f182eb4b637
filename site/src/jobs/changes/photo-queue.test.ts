import { expect, test, vi } from 'vitest';
import type { JobView } from '#core/job/view.ts';
import { createPhotoQueue, type SentPhoto } from './photo-queue.ts';
import type { WaitingPhoto } from './stored-photos.ts';

const token = `x.${btoa(JSON.stringify({ sub: 'account-1' }))}.x`;
const ok: SentPhoto = { kind: 'ok', job: { id: 'j1' } as JobView };
const said = { stage: 'before', caption: 'Rust' } as const;

/** A queue whose network answers what the test says, and whose browser stores what it is given. */
function aQueue(
  answers: SentPhoto[],
  kept: WaitingPhoto[] = [],
  isDescribing = false,
  removed = () => Promise.resolve(),
) {
  const stored = new Map(kept.map((photo) => [photo.photoId, photo]));
  const sent: string[] = [];
  const waits: { seconds: number; work: () => void }[] = [];
  const onSent = vi.fn();
  const onSignedOut = vi.fn();
  const queue = createPhotoQueue({
    stored: {
      put: async (photo) => void stored.set(photo.photoId, photo),
      remove: async (photoId) => {
        stored.delete(photoId);
        await removed();
      },
      all: async () => [...stored.values()],
    },
    send: async ({ photoId }, _, onPercent) => {
      sent.push(photoId);
      expect(stored.has(photoId)).toBe(true);
      onPercent(50);
      return answers.shift() ?? ok;
    },
    token: () => token,
    onSent,
    onSignedOut,
    later: (seconds, work) => void waits.push({ seconds, work }),
    alone: async (work) => work().then(() => true),
    isDescribing: async () => isDescribing,
  });
  const idle = () => new Promise((resolve) => setImmediate(resolve));
  return { queue, stored, sent, waits, onSent, onSignedOut, idle };
}

const files = (count: number) => Array.from({ length: count }, () => new Blob(['x']));

test('photos go up one after the other, and are stored until they are there', async () => {
  const { queue, stored, sent, onSent } = aQueue([]);
  await queue.add('j1', files(2), said);
  await expect.poll(() => queue.$photos.get()).toEqual([]);
  expect([sent.length, stored.size, onSent.mock.calls.length]).toEqual([2, 0, 2]);
});

test('what this page sent is known before its job shows it, and what was lost or refused is not', async () => {
  const lost: SentPhoto = { kind: 'lost', seconds: null, isAnswered: false };
  const { queue, sent, onSent } = aQueue([{ kind: 'refused', message: 'Too large' }, ok, lost]);
  onSent.mockImplementation(() => expect(queue.$sent.get()).toEqual([sent[1]]));
  await queue.add('j1', files(3), said);
  await expect.poll(() => sent).toHaveLength(3);
  expect(onSent).toHaveBeenCalledOnce();
  expect(queue.$sent.get()).toEqual([sent[1]]);
});

test('without an answer they wait, longer each time, under the ids that they have', async () => {
  const lost: SentPhoto = { kind: 'lost', seconds: null, isAnswered: false };
  const { queue, stored, sent, waits, idle } = aQueue([lost, lost]);
  await queue.add('j1', files(1), said);
  await expect.poll(() => waits).toHaveLength(1);
  await idle();
  waits[0]?.work();
  await expect.poll(() => waits).toHaveLength(2);
  expect(waits.map(({ seconds }) => seconds)).toEqual([5, 10]);
  expect(stored.size).toBe(1);
  await idle();
  waits[1]?.work();
  await expect.poll(() => queue.$photos.get()).toEqual([]);
  expect(new Set(sent).size).toBe(1);
});

test('no answer at all is not the answer that something is unavailable', async () => {
  for (const isAnswered of [false, true]) {
    const { queue, waits } = aQueue([{ kind: 'lost', seconds: null, isAnswered }]);
    await queue.add('j1', files(1), said);
    await expect.poll(() => waits).toHaveLength(1);
    expect(queue.$photos.get()[0]?.isUnanswered).toBe(!isAnswered);
  }
});

test('a browser that never answers what it was to store holds up none that is still to be sent', async () => {
  const { queue, sent, onSent } = aQueue([], [], false, () => new Promise(() => {}));
  await queue.add('j1', files(2), said);
  await expect.poll(() => onSent).toHaveBeenCalledTimes(2);
  expect([new Set(sent).size, queue.$photos.get().length]).toEqual([2, 0]);
});

test('one that is refused says why and holds up no other; the tradie sends it again or takes it out', async () => {
  const refused: SentPhoto = { kind: 'refused', message: 'Use a PNG, JPEG or WebP image' };
  const { queue, stored, onSent } = aQueue([refused, ok, refused]);
  await queue.add('j1', files(2), said);
  await expect.poll(() => onSent).toHaveBeenCalledOnce();
  await expect.poll(() => queue.$photos.get()).toHaveLength(1);
  const [photo] = queue.$photos.get();
  expect(photo).toMatchObject({ problem: 'Use a PNG, JPEG or WebP image', caption: 'Rust' });
  queue.retry(photo?.photoId);
  await expect.poll(() => queue.$photos.get()[0]?.problem).toBeDefined();
  await queue.drop(photo?.photoId ?? '');
  expect([queue.$photos.get().length, stored.size]).toEqual([0, 0]);
});

test('what an earlier page left goes up; a session that ended loses none of it', async () => {
  const left: WaitingPhoto = {
    ...{ photoId: 'p1', jobId: 'j1', account: 'account-1', ...said },
    ...{ file: new Blob(['x']), at: 1 },
  };
  const { queue, stored, onSignedOut } = aQueue([{ kind: 'signed-out' }, ok], [left]);
  await queue.start();
  await expect.poll(() => onSignedOut).toHaveBeenCalledOnce();
  expect(stored.size).toBe(1);
  await queue.start();
  await expect.poll(() => stored.size).toBe(0);
});

test('drafts are stored and not sent, with what was said of them last, until they are released', async () => {
  const { queue, stored, sent, idle } = aQueue([]);
  await queue.draft('j1', files(2), said);
  await queue.draft('j2', files(1), said);
  queue.retry();
  await idle();
  await queue.describe('j1', { stage: 'after', caption: 'New valve' });
  expect(sent).toEqual([]);
  expect([...stored.values()].map(({ stage, caption, isDraft }) => [stage, caption, isDraft])).toEqual([
    ['after', 'New valve', true],
    ['after', 'New valve', true],
    ['before', 'Rust', true],
  ]);
  await queue.release('j1', { stage: 'during', caption: 'New' });
  await expect.poll(() => queue.$photos.get().map(({ jobId }) => jobId)).toEqual(['j2']);
  expect([sent.length, stored.size]).toEqual([2, 1]);
});

test('drafts that an earlier page left go up as they were described, but not while a page may be describing them', async () => {
  const left: WaitingPhoto = {
    ...{ photoId: 'p1', jobId: 'j1', account: 'account-1', ...said, isDraft: true },
    ...{ file: new Blob(['x']), at: 1 },
  };
  const { isDraft: _, ...ready } = left;
  const other = { ...ready, photoId: 'p2' };
  const elsewhere = aQueue([], [left, other], true);
  await elsewhere.queue.start();
  await expect.poll(() => elsewhere.sent).toEqual(['p2']);
  expect(elsewhere.stored.has('p1')).toBe(true);
  const alone = aQueue([], [left]);
  await alone.queue.start();
  await expect.poll(() => alone.stored.size).toBe(0);
  expect(alone.sent).toEqual(['p1']);
});

test('a photo that the browser does not store is sent by this page, which says so until it is gone', async () => {
  const { queue, stored } = aQueue([{ kind: 'refused', message: 'Too large' }]);
  const refusal = vi.spyOn(stored, 'set').mockImplementation(() => {
    throw new DOMException('No room', 'QuotaExceededError');
  });
  await queue.draft('j1', files(1), said);
  expect([queue.$isStored.get(), stored.size]).toEqual([false, 0]);
  refusal.mockRestore();
  await queue.describe('j1', { stage: 'after', caption: '' });
  expect([queue.$isStored.get(), stored.size]).toEqual([true, 1]);
});

test('a photo that is taken out while the browser still stores it does not come back', async () => {
  const { queue, stored } = aQueue([]);
  const added = queue.draft('j1', files(1), said);
  await queue.drop(queue.$photos.get()[0]?.photoId ?? '');
  await added;
  expect([queue.$photos.get().length, stored.size]).toEqual([0, 0]);
});
