import { atom, type ReadableAtom } from 'nanostores';
import type { JobStatus, WorkingStatus } from '#core/job/status/statuses.ts';
import type { JobCardView, JobView } from '#core/job/view.ts';
import type { Answer } from '#site/jobs/jobs-api.ts';
import { newId } from '#site/lib/secure/new-id.ts';

/** What a tradie changes of a job without a signal. */
export type Change =
  | Readonly<{ answer: Answer }>
  | Readonly<{ status?: WorkingStatus; scheduledAt?: string | null }>
  | Readonly<{ notes: string }>;

/** The parts of a job that changes overwrite, and its revision. */
export type Seen = Pick<JobView, 'revision' | 'status' | 'scheduledAt'> & Readonly<{ notes?: string }>;

/** A change, and for notes what they were typed over. */
export type NewChange = Change & Readonly<{ over?: Pick<JobView, 'notes' | 'revision'> }>;

/** Why a change is not made: in the server's words and, where the job was changed meanwhile, the job as it is, by whom and when that part was changed. */
export type Problem = Readonly<{
  message: string;
  theirs?: Seen & Readonly<{ isErased: boolean }>;
  by?: Readonly<{ name: string; isOwn: boolean; at: string }>;
}>;

/** A change as the browser stores it; `at` in ms since the epoch. `seen` is what it was decided on, changes that waited before it included. */
export type StoredChange = Readonly<{
  id: string;
  account: string;
  jobId: string;
  at: number;
  change: Change;
  seen: Seen;
  job: Pick<JobCardView, 'name' | 'title'>;
  problem?: Problem;
}>;

/** `sentAt` in ms since the epoch: it is no longer stored. */
export type QueuedChange = StoredChange & Readonly<{ isSending?: boolean; sentAt?: number }>;

/** What a sent change came to. `lost`: no answer or, where `isAnswered`, only that something is unavailable; again after `seconds`. */
export type Sent =
  | Readonly<{ kind: 'ok'; job: JobView }>
  | Readonly<{ kind: 'refused'; problem: Problem; job?: JobView }>
  | Readonly<{ kind: 'lost'; isAnswered: boolean; seconds: number | null }>;

export type ChangeStore = Readonly<{
  put(change: StoredChange): Promise<void>;
  remove(id: string): Promise<void>;
  /** Those of an account, the oldest first. */
  all(account: string): Promise<readonly StoredChange[]>;
}>;

type Outside = Readonly<{
  stored: ChangeStore;
  /** Whether the server answers at all: asked before each round, as it is a small question and soon given up. */
  isThere(): Promise<boolean>;
  /** Sends one change; the same again changes nothing more. */
  send(change: StoredChange): Promise<Sent>;
  /** Whose changes these are; undefined once the session is over. */
  account(): string | undefined;
  now(): number;
  /** Called with each job as the server answers it. */
  onAnswer(job: JobView): void;
  /** Has the other tabs read again what is stored. */
  publish(): void;
  /** Calls back in so many seconds; one call takes the place of the one before. */
  later(seconds: number, work: () => void): void;
  /** Runs the work in one tab at a time; false where another tab is at it. */
  alone(work: () => Promise<void>): Promise<boolean>;
}>;

export type ChangeQueue = Readonly<{
  /** In the order in which they are sent; what was sent stays until nothing waits. */
  $changes: ReadableAtom<readonly QueuedChange[]>;
  /** Whether the server answers, as far as the last change that was sent can say. */
  $isReached: ReadableAtom<boolean>;
  /** Queues a change of a job as it is known, and stores it. Where the browser refuses, this page alone sends it. */
  add(jobId: string, change: NewChange, known: JobCardView): Promise<void>;
  /** Takes one out that is not on its way. */
  drop(id: string): Promise<void>;
  /** Makes the change over what the job has become meanwhile. */
  insist(id: string): Promise<void>;
  /** Reads what is stored, and sends it; where the server does not answer, again in a while. */
  run(): Promise<void>;
  /** The same where there is reason to expect an answer: the waits begin anew. */
  retry(): Promise<void>;
  /** Reads what is stored. */
  read(): Promise<void>;
  /** Whether the browser stores all that waits. */
  $isStored: ReadableAtom<boolean>;
  /** Takes the changes that were sent off the list. */
  clearSent(): void;
}>;

/** How long another tab that sends is waited for, and the first and the longest wait after an answer that was lost, in seconds. */
const waits = { tab: 5, first: 3, longest: 30 } as const;

/** Sends changes one after the other, the oldest first. One that needs the tradie holds up those of its own job alone. */
export function createChangeQueue(outside: Outside): ChangeQueue {
  const { stored, isThere, send, account, now, onAnswer, publish, later, alone } = outside;
  const queue = atom<readonly QueuedChange[]>([]);
  const reached = atom(true);
  const isStored = atom(true);
  /** What the browser did not store. */
  const unstored = new Map<string, StoredChange>();
  let running: Promise<void> | null = null;
  let tries = 0;

  async function read(): Promise<void> {
    const own = account();
    const found = own === undefined ? [] : await stored.all(own).catch(() => []);
    const before = new Map(queue.get().map((change) => [change.id, change]));
    const sent = queue.get().filter(({ sentAt }) => sentAt !== undefined);
    const isGone = new Set(sent.map(({ id }) => id));
    const left = [...found, ...unstored.values()].filter(({ id }) => !isGone.has(id));
    const waiting = left
      .toSorted((a, b) => a.at - b.at)
      .map((change) => ({ ...change, isSending: before.get(change.id)?.isSending ?? false }));
    queue.set([...sent, ...waiting]);
  }

  function run(): Promise<void> {
    running ??= alone(sendAll)
      .then((isAlone) => {
        if (!isAlone) later(waits.tab, () => void run());
      })
      .finally(() => {
        running = null;
      });
    return running;
  }

  async function sendAll(): Promise<void> {
    for (let isFirst = true; ; isFirst = false) {
      await read();
      const next = nextToSend(queue.get());
      if (!next || next.account !== account()) return;
      if (isFirst) reached.set(await isThere());
      if (!reached.get()) return tryLater(null);
      mark(next.id, { isSending: true });
      const sent = await send(next);
      mark(next.id, { isSending: false });
      reached.set(sent.kind !== 'lost' || sent.isAnswered);
      if (sent.kind === 'lost') return tryLater(sent.seconds);
      tries = 0;
      if (sent.kind === 'refused') {
        if (sent.job) onAnswer(sent.job);
        await put({ ...withoutErased(next, sent), problem: sent.problem });
      } else await settle(next, sent.job);
      publish();
    }
  }

  function tryLater(seconds: number | null): void {
    later(seconds ?? Math.min(waits.first * 2 ** tries, waits.longest), () => void run());
    tries += 1;
  }

  /** What follows was decided on this change. It goes on from the job as it is now, unless another changed the same part. */
  async function settle({ id, jobId }: StoredChange, job: JobView): Promise<void> {
    for (const one of queue.get()) {
      if (one.id === id || one.jobId !== jobId || one.sentAt !== undefined || one.problem) continue;
      if (isUnchanged(one, job)) await put({ ...one, seen: { ...one.seen, revision: job.revision } });
    }
    onAnswer(job);
    mark(id, { sentAt: now() });
    await remove(id);
  }

  function mark(id: string, as: Partial<QueuedChange>): void {
    queue.set(queue.get().map((change) => (change.id === id ? { ...change, ...as } : change)));
  }

  /** Stores a change, and shows it then: what is seen to wait outlives the page. */
  async function put({ isSending: _, sentAt: __, ...change }: QueuedChange): Promise<void> {
    await stored.put(change).then(
      () => unstored.delete(change.id),
      () => unstored.set(change.id, change),
    );
    isStored.set(unstored.size === 0);
    const isKnown = queue.get().some(({ id }) => id === change.id);
    const shown = queue.get().filter(({ sentAt }) => sentAt === undefined || hasMore());
    queue.set(isKnown ? shown.map((one) => (one.id === change.id ? change : one)) : [...shown, change]);
  }

  /** Whether something is still to be sent; what was sent is then still shown beside it. */
  function hasMore(): boolean {
    return queue.get().some(({ sentAt }) => sentAt === undefined);
  }

  async function remove(id: string): Promise<void> {
    unstored.delete(id);
    isStored.set(unstored.size === 0);
    await stored.remove(id).catch(() => {});
  }

  async function drop(id: string): Promise<void> {
    if (queue.get().some((change) => change.id === id && change.isSending)) return;
    queue.set(queue.get().filter((change) => change.id !== id));
    await remove(id);
    publish();
    // What waited behind it may go on.
    void run();
  }

  return {
    $changes: queue,
    $isReached: reached,
    $isStored: isStored,
    clearSent: () => queue.set(queue.get().filter(({ sentAt }) => sentAt === undefined)),
    drop,
    run,
    retry() {
      tries = 0;
      return run();
    },
    read,
    async add(jobId, { over, ...change }, known) {
      const own = account();
      if (own === undefined) return;
      const ofJob = queue.get().filter((one) => one.jobId === jobId && one.sentAt === undefined);
      const last = ofJob.findLast((one) => 'notes' in one.change && !one.isSending && !one.problem);
      if ('notes' in change && last?.seen.notes === change.notes) return drop(last.id);
      const { name, title, status, scheduledAt, revision } = known;
      const seen = { revision, status, scheduledAt, ...over, ...Object.assign({}, ...ofJob.map(effectOf)) };
      const at = Math.max(now(), (queue.get().at(-1)?.at ?? 0) + 1);
      await put(
        'notes' in change && last
          ? { ...last, change }
          : { id: newId(), account: own, jobId, at, change, seen, job: { name, title } },
      );
      publish();
    },
    async insist(id) {
      const change = queue.get().find((one) => one.id === id);
      const theirs = change?.problem?.theirs;
      if (!change || !theirs) return;
      const { problem: _, ...rest } = change;
      const { isErased: __, ...seen } = theirs;
      await put({ ...rest, seen });
      publish();
      await run();
    },
  };
}

/** Nothing of a customer whose details were removed stays on the device. */
function withoutErased(
  change: QueuedChange,
  { problem, job }: Extract<Sent, { kind: 'refused' }>,
): QueuedChange {
  if (!job || !problem.theirs?.isErased) return change;
  const { name, title } = job;
  const bare = 'notes' in change.change ? { notes: '' } : change.change;
  return { ...change, change: bare, seen: problem.theirs, job: { name, title } };
}

function nextToSend(changes: readonly QueuedChange[]): QueuedChange | undefined {
  const held = new Set(changes.filter(({ problem }) => problem).map(({ jobId }) => jobId));
  return changes.find(({ jobId, sentAt }) => sentAt === undefined && !held.has(jobId));
}

/** What a change makes of the parts of a job. */
export function effectOf({ change }: Pick<StoredChange, 'change'>): Partial<Seen> {
  if (!('answer' in change)) return change;
  const status: JobStatus = change.answer === 'accept' ? 'To quote' : 'Rejected';
  return { status };
}

/** Whether what a change overwrites is as it was decided on. */
function isUnchanged(change: StoredChange, job: JobView): boolean {
  const parts = Object.keys(effectOf(change)) as ('status' | 'scheduledAt' | 'notes')[];
  return parts.every((part) => change.seen[part] === job[part]);
}
