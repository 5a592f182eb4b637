import { atom, type ReadableAtom } from 'nanostores';
import type { Failure } from '#api/http/answers.ts';
import type { PhotoStage } from '#core/job/photos/photo-stages.ts';
import type { JobView } from '#core/job/view.ts';
import { storeJob } from '#site/jobs/job-stores.ts';
import { pathOf } from '#site/jobs/jobs-api.ts';
import { type AnswerOf, type QueryOf, unknownFailure } from '#site/lib/http/api.ts';
import { askBeforeLeaving } from '#site/lib/offline/leaving.ts';
import { withLock } from '#site/lib/secure/locks.ts';
import { newId } from '#site/lib/secure/new-id.ts';
import { aloneAmongTabs, isLocked } from '#site/lib/secure/tab-work.ts';
import { accountOf } from '#site/lib/session/session-storage.ts';
import { $session, endSession } from '#site/lib/session/session-store.ts';
import type { WaitingPhoto, waitingPhotos } from './stored-photos.ts';

/** A photo on its way. `percent` while it is being sent, `isUnanswered` where that got no answer; `problem` once it was refused, in the server's words. */
export type QueuedPhoto = WaitingPhoto &
  Readonly<{ percent?: number; isUnanswered?: boolean; problem?: string }>;

/** What photos show. */
export type PhotoDescription = Readonly<{ stage: PhotoStage; caption: string }>;

export type PhotoQueue = Readonly<{
  /** The photos of this account that are not sent yet, the oldest first. */
  $photos: ReadableAtom<readonly QueuedPhoto[]>;
  /** The ids of the photos that this page sent. */
  $sent: ReadableAtom<readonly string[]>;
  /** Whether the browser stores all that waits. */
  $isStored: ReadableAtom<boolean>;
  /** Takes up what an earlier page left, and sends it; drafts as well, unless a page may still be describing them. */
  start(): Promise<void>;
  /** Queues photos of a job; the browser stores them until they are sent. Where it refuses, this page alone sends them. */
  add(jobId: string, files: readonly Blob[], description: PhotoDescription): Promise<void>;
  /** The same for photos that are still described: they are stored, and sent once they are released. */
  draft(jobId: string, files: readonly Blob[], description: PhotoDescription): Promise<void>;
  /** Stores what the drafts of a job show. */
  describe(jobId: string, description: PhotoDescription): Promise<void>;
  /** Sends the drafts of a job, with that description. */
  release(jobId: string, description: PhotoDescription): Promise<void>;
  /** Sends a photo again that was refused, or what waits at once. */
  retry(photoId?: string): void;
  /** Takes a photo out that was not sent. */
  drop(photoId: string): Promise<void>;
}>;

type Outside = Readonly<{
  stored: Pick<typeof waitingPhotos, 'put' | 'remove' | 'all'>;
  send: typeof sendPhoto;
  token(): string | undefined;
  onSent(job: JobView): void;
  onSignedOut(): void;
  /** Calls back in so many seconds; one call takes the place of the one before. */
  later(seconds: number, work: () => void): void;
  /** Runs the work in one tab at a time; false where another tab is at it. */
  alone(work: () => Promise<void>): Promise<boolean>;
  /** Whether photos are described just now, in this tab or another. */
  isDescribing(): Promise<boolean>;
}>;

/** How long another tab that sends is waited for, and the longest wait after an answer that was lost, in seconds. */
const waits = { tab: 10, longest: 60 } as const;

/** Sends photos one after the other, the oldest first. One that is lost is sent again by itself, one that is refused waits for the tradie. */
export function createPhotoQueue({
  stored,
  send,
  token,
  onSent,
  onSignedOut,
  later,
  alone,
  isDescribing,
}: Outside): PhotoQueue {
  const queue = atom<readonly QueuedPhoto[]>([]);
  const went = atom<readonly string[]>([]);
  const isStored = atom(true);
  /** The ids of what the browser did not store. */
  const unstored = new Set<string>();
  let isRunning = false;
  let tries = 0;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    try {
      if (!(await alone(sendAll))) later(waits.tab, () => void run());
    } finally {
      isRunning = false;
    }
  }

  async function sendAll(): Promise<void> {
    for (;;) {
      const photo = queue.get().find(({ problem, isDraft }) => problem === undefined && !isDraft);
      const own = token();
      if (!photo || own === undefined) return;
      const { photoId } = photo;
      change(photoId, (one) => ({ ...one, percent: 0 }));
      const sent = await send(photo, own, (percent) => change(photoId, (one) => ({ ...one, percent })));
      const isUnanswered = sent.kind === 'lost' && !sent.isAnswered;
      change(photoId, ({ percent: _, ...one }) => ({ ...one, isUnanswered }));
      if (sent.kind === 'signed-out') return onSignedOut();
      if (sent.kind === 'lost') {
        later(sent.seconds ?? Math.min(5 * 2 ** tries, waits.longest), () => void run());
        tries += 1;
        return;
      }
      tries = 0;
      if (sent.kind === 'refused') change(photoId, (one) => ({ ...one, problem: sent.message }));
      else {
        went.set([...went.get(), photoId]);
        onSent(sent.job);
        // The next one does not wait for it: sent again, this one is the same photo.
        void drop(photoId);
      }
    }
  }

  function change(photoId: string, to: (photo: QueuedPhoto) => QueuedPhoto): void {
    queue.set(queue.get().map((photo) => (photo.photoId === photoId ? to(photo) : photo)));
  }

  async function drop(photoId: string): Promise<void> {
    queue.set(queue.get().filter((photo) => photo.photoId !== photoId));
    noteStored(photoId, true);
    await stored.remove(photoId).catch(() => {});
  }

  async function put(photo: QueuedPhoto): Promise<void> {
    const { percent: _, isUnanswered: __, problem: ___, ...left } = photo;
    await stored.put(left).then(
      () => noteStored(photo.photoId, true),
      () => noteStored(photo.photoId, false),
    );
    // Sent or taken out meanwhile.
    if (!queue.get().some(({ photoId }) => photoId === photo.photoId)) await drop(photo.photoId);
  }

  function noteStored(photoId: string, isSafe: boolean): void {
    if (isSafe) unstored.delete(photoId);
    else unstored.add(photoId);
    isStored.set(unstored.size === 0);
  }

  async function store(
    jobId: string,
    files: readonly Blob[],
    description: PhotoDescription & Pick<WaitingPhoto, 'isDraft'>,
  ) {
    const own = token();
    if (own === undefined) return;
    const account = accountOf(own);
    const photos = files.map((file, n): WaitingPhoto => {
      const photoId = newId().replaceAll('-', '');
      return { photoId, jobId, account, ...description, file, at: Date.now() + n };
    });
    queue.set([...queue.get(), ...photos]);
    await Promise.all(photos.map(put));
  }

  async function changeDrafts(jobId: string, to: (photo: QueuedPhoto) => QueuedPhoto): Promise<void> {
    const drafts = queue.get().filter((photo) => photo.jobId === jobId && photo.isDraft);
    for (const { photoId } of drafts) change(photoId, to);
    await Promise.all(drafts.map((draft) => put(to(draft))));
  }

  return {
    $photos: queue,
    $sent: went,
    $isStored: isStored,
    drop,
    async start() {
      const own = token();
      if (own === undefined) return;
      const found = await stored.all(accountOf(own)).catch((): WaitingPhoto[] => []);
      const isOpen = found.some(({ isDraft }) => isDraft) && (await isDescribing());
      const known = new Set(queue.get().map(({ photoId }) => photoId));
      const left = found.filter(({ photoId, isDraft }) => !known.has(photoId) && !(isDraft && isOpen));
      queue.set([...left.map(released), ...queue.get()]);
      void run();
    },
    async add(jobId, files, description) {
      await store(jobId, files, description);
      void run();
    },
    draft: (jobId, files, description) => store(jobId, files, { ...description, isDraft: true }),
    describe: (jobId, description) => changeDrafts(jobId, (photo) => ({ ...photo, ...description })),
    async release(jobId, description) {
      await changeDrafts(jobId, (photo) => ({ ...released(photo), ...description }));
      void run();
    },
    retry(photoId) {
      if (photoId !== undefined) change(photoId, ({ problem: _, ...photo }) => photo);
      void run();
    },
  };
}

function released({ isDraft: _, ...photo }: QueuedPhoto): QueuedPhoto {
  return photo;
}

/** Held by each page that describes photos, so that no other one sends them meanwhile. */
const describingLock = 'ute.photos-describing';

/** No other page sends the drafts of this one from now on, until this one calls what is given back or is gone. */
export function holdDrafts(): () => void {
  let done = () => {};
  const isDone = new Promise<void>((resolve) => (done = resolve));
  void withLock(describingLock, { mode: 'shared' }, () => isDone);
  return done;
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Loaded with the first look at what waits. */
const stored = async () => (await import('./stored-photos.ts')).waitingPhotos;

/** The photos of this browser. */
export const photoQueue = createPhotoQueue({
  stored: {
    put: async (photo) => (await stored()).put(photo),
    remove: async (photoId) => (await stored()).remove(photoId),
    all: async (account) => (await stored()).all(account),
  },
  send: sendPhoto,
  token: () => $session.get()?.token,
  onSent: storeJob,
  onSignedOut: () => endSession('session-timed-out'),
  later(seconds, work) {
    clearTimeout(timer);
    timer = setTimeout(work, seconds * 1_000);
  },
  alone: (work) => aloneAmongTabs('ute.photos', work),
  isDescribing: () => isLocked(describingLock),
});

if (typeof window !== 'undefined') {
  addEventListener('online', () => photoQueue.retry());
  askBeforeLeaving(photoQueue.$isStored);
}

/** `lost`: no answer, or only that something is unavailable just now, which `isAnswered`; sent again after `seconds`. */
export type SentPhoto =
  | Readonly<{ kind: 'ok'; job: JobView }>
  | Readonly<{ kind: 'refused'; message: string }>
  | Readonly<{ kind: 'signed-out' }>
  | Readonly<{ kind: 'lost'; seconds: number | null; isAnswered: boolean }>;

/** Half a megabyte over a slow connection, in milliseconds. */
const timeout = 120_000;
type PhotoPath = `/jobs/${string}/photos/${string}`;

/** What another try may help with, besides no answer: a slow body, too many at once, an outage. */
const isTransient = (status: number) => status === 0 || status === 408 || status === 429 || status >= 500;

/** Sends one photo whole; the same again is the same photo. `onSent` gives percent. Only this request can report them, so no fetch. */
function sendPhoto(
  { photoId, jobId, stage, caption, file }: WaitingPhoto,
  token: string,
  onSent: (percent: number) => void,
): Promise<SentPhoto> {
  return new Promise((resolve) => {
    const sending = new XMLHttpRequest();
    sending.open(
      'PUT',
      `/api${pathOf(jobId)}/photos/${photoId}?stage=${stage satisfies QueryOf<'PUT', PhotoPath>['stage']}`,
    );
    sending.setRequestHeader('authorization', `Bearer ${token}`);
    sending.setRequestHeader('content-type', 'application/octet-stream');
    if (caption) sending.setRequestHeader('x-caption', encodeURIComponent(caption));
    sending.timeout = timeout;
    sending.upload.onprogress = ({ loaded, total }) =>
      onSent(Math.floor((100 * loaded) / Math.max(total, 1)));
    sending.onloadend = () => resolve(answerOf(sending));
    sending.send(file);
  });
}

function answerOf(sent: XMLHttpRequest): SentPhoto {
  const { status } = sent;
  if (status === 403) return { kind: 'signed-out' };
  if (isTransient(status))
    return {
      ...{ kind: 'lost', isAnswered: status !== 0 },
      seconds: Number(sent.getResponseHeader('retry-after')) || null,
    };
  const payload = parsed(sent.responseText);
  if (status === 200 && payload.job) return { kind: 'ok', job: payload.job };
  const fields = Object.values(payload.fields ?? {});
  return { kind: 'refused', message: fields[0] ?? (payload.message || unknownFailure) };
}

type Payload = Partial<AnswerOf<'PUT', PhotoPath> & Omit<Failure, 'status'>>;

function parsed(text: string): Payload {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
