import { beforeEach, expect, test } from 'vitest';
import type { JobView } from '#core/job/view.ts';
import { aCard } from '#site/jobs/a-card.fixture.ts';
import {
  type ChangeStore,
  createChangeQueue,
  type Problem,
  type Sent,
  type StoredChange,
} from './change-queue.ts';

const account = 'a1';
let rows: Map<string, StoredChange>;
/** The jobs as the server has them, and by part at which revision it was changed last. */
let server: Record<string, JobView>;
let changedAt: Record<string, number>;
/** Every change that reached the server, in order, with the revision that it was decided on. */
let arrived: unknown[];
let isOut: boolean;
/** The server obeys, and its answer is lost. */
let losesAnswers: boolean;
let holder: object | null;

const stored: ChangeStore = {
  put: async (change) => void rows.set(change.id, structuredClone(change)),
  remove: async (id) => void rows.delete(id),
  all: async (own) => [...rows.values()].filter((row) => row.account === own).toSorted((a, b) => a.at - b.at),
};

/** Sends a change to a server that refuses what would overwrite a part that was changed since, and obeys once. */
async function send({ jobId, change, seen }: StoredChange): Promise<Sent> {
  const wanted =
    'answer' in change ? { status: change.answer === 'accept' ? 'To quote' : 'Rejected' } : change;
  const parts = Object.entries(wanted).filter(
    ([part, value]) => jobAt(jobId)[part as keyof JobView] !== value,
  );
  if (parts.some(([part]) => (changedAt[`${jobId} ${part}`] ?? 0) > seen.revision)) {
    const job = jobAt(jobId);
    const { revision, status, scheduledAt, notes, erasedAt } = job;
    const theirs = { revision, status, scheduledAt, notes, isErased: Boolean(erasedAt) };
    return { kind: 'refused', problem: { message: 'Changed meanwhile', theirs }, job };
  }
  if (parts.length > 0) changeElsewhere(jobId, Object.fromEntries(parts));
  arrived.push(change);
  return losesAnswers
    ? { kind: 'lost', isAnswered: false, seconds: null }
    : { kind: 'ok', job: jobAt(jobId) };
}

const jobAt = (id: string): JobView => server[id] as JobView;

/** Another device changes a job. */
function changeElsewhere(id: string, parts: Partial<JobView>): void {
  const revision = jobAt(id).revision + 1;
  server[id] = { ...jobAt(id), ...parts, revision };
  for (const part of Object.keys(parts)) changedAt[`${id} ${part}`] = revision;
}

/** One tab: its queue, what it asks to do later, and how often it has the others read again. */
function tab() {
  const waits: { seconds: number; work: () => void }[] = [];
  const shown: JobView[] = [];
  const self = {};
  let clock = 1_000;
  const queue = createChangeQueue({
    ...{
      stored,
      send,
      isThere: async () => !isOut,
      account: () => account,
      now: () => (clock += 1),
      publish: () => {},
    },
    onAnswer: (job) => void shown.push(job),
    later: (seconds, work) => void waits.push({ seconds, work }),
    async alone(work) {
      if (holder && holder !== self) return false;
      holder = self;
      await work().finally(() => (holder = null));
      return true;
    },
  });
  const left = () => queue.$changes.get().filter(({ sentAt }) => sentAt === undefined);
  return { queue, waits, shown, left };
}

const known = (changes: Partial<JobView> = {}) => aCard('j1', { status: 'Quoted', revision: 4, ...changes });
const [monday, tuesday] = ['2026-01-05T00:00:00.000Z', '2026-01-06T03:00:00.000Z'];

beforeEach(() => {
  rows = new Map();
  const other = aCard('j2', { revision: 9 });
  server = { j1: { ...known(), notes: '' } as JobView, j2: { ...other, notes: '' } as JobView };
  [changedAt, arrived] = [{}, []];
  [isOut, losesAnswers, holder] = [true, false, null];
});

test('changes are sent in order once the server is there, each on the revision that the one before led to', async () => {
  const { queue, waits, shown, left } = tab();
  await queue.add('j1', { status: 'In progress' }, known());
  await queue.add('j1', { scheduledAt: monday }, known());
  await queue.add('j2', { answer: 'accept' }, aCard('j2', { revision: 9 }));
  await queue.run();
  expect(queue.$isReached.get()).toBe(false);
  expect([arrived.length, left().length, rows.size]).toEqual([0, 3, 3]);
  isOut = false;
  waits.at(-1)?.work();
  await queue.run();
  expect(arrived).toEqual([{ status: 'In progress' }, { scheduledAt: monday }, { answer: 'accept' }]);
  expect(shown).toHaveLength(3);
  expect([left().length, rows.size]).toEqual([0, 0]);
  expect(queue.$changes.get().map(({ sentAt }) => typeof sentAt)).toEqual(['number', 'number', 'number']);
  queue.clearSent();
  expect(queue.$changes.get()).toEqual([]);
});

test('the time between two tries grows to half a minute, and begins anew once there is reason to try', async () => {
  const { queue, waits } = tab();
  await queue.add('j1', { status: 'Paid' }, known());
  for (const _ of [1, 2, 3, 4, 5, 6]) await queue.run();
  expect(waits.map(({ seconds }) => seconds)).toEqual([3, 6, 12, 24, 30, 30]);
  await queue.retry();
  expect(waits.at(-1)?.seconds).toBe(3);
});

test('what a killed page left is sent by the next one', async () => {
  await tab().queue.add('j1', { status: 'Paid' }, known());
  isOut = false;
  const next = tab();
  await next.queue.run();
  expect(arrived).toEqual([{ status: 'Paid' }]);
  expect(rows.size).toBe(0);
});

test('a change whose answer was lost, or whose page ended before it was taken out, is sent again and made once', async () => {
  const { queue, left } = tab();
  await queue.add('j1', { status: 'In progress' }, known());
  await queue.add('j1', { status: 'Completed' }, known());
  [isOut, losesAnswers] = [false, true];
  await queue.run();
  expect([jobAt('j1').status, left().length]).toEqual(['In progress', 2]);
  losesAnswers = false;
  await tab().queue.run();
  expect([jobAt('j1').status, jobAt('j1').revision, rows.size]).toEqual(['Completed', 6, 0]);
});

test('what another account left waits until that one signs in again', async () => {
  await tab().queue.add('j1', { status: 'Paid' }, known());
  const [row] = rows.values();
  if (row) rows.set(row.id, { ...row, account: 'a2' });
  isOut = false;
  const { queue, left } = tab();
  await queue.run();
  expect([arrived.length, left().length, rows.size]).toEqual([0, 0, 1]);
});

test('two tabs send a change once', async () => {
  const [one, other] = [tab(), tab()];
  await one.queue.add('j1', { status: 'Paid' }, known());
  isOut = false;
  await Promise.all([one.queue.run(), other.queue.run()]);
  expect(arrived).toEqual([{ status: 'Paid' }]);
  await other.queue.read();
  expect(other.left()).toEqual([]);
});

test('a change that is taken out is not sent', async () => {
  const { queue, left } = tab();
  await queue.add('j1', { status: 'Paid' }, known());
  await queue.add('j1', { scheduledAt: monday }, known());
  await queue.drop(left()[0]?.id ?? '');
  isOut = false;
  await queue.run();
  expect(arrived).toEqual([{ scheduledAt: monday }]);
});

test('notes are one change however often they are typed, and none once they are as they were', async () => {
  const { queue, left } = tab();
  const over = { notes: '', revision: 4 };
  await queue.add('j1', { notes: 'Side', over }, known());
  await queue.add('j1', { notes: 'Side gate', over }, known());
  expect(left().map(({ change, seen }) => [change, seen.notes])).toEqual([[{ notes: 'Side gate' }, '']]);
  await queue.add('j1', { notes: '', over }, known());
  expect([left().length, rows.size]).toEqual([0, 0]);
});

async function inConflict() {
  const opened = tab();
  await opened.queue.add('j1', { scheduledAt: monday }, known());
  await opened.queue.add('j1', { status: 'Paid' }, known());
  await opened.queue.add('j2', { answer: 'accept' }, aCard('j2', { revision: 9 }));
  changeElsewhere('j1', { scheduledAt: tuesday });
  isOut = false;
  await opened.queue.run();
  return opened;
}

test('what was changed elsewhere meanwhile is not overwritten: it needs the tradie, and holds up its own job alone', async () => {
  const { left } = await inConflict();
  expect(arrived).toEqual([{ answer: 'accept' }]);
  expect(left().map(({ change, problem }) => [change, problem?.theirs?.scheduledAt])).toEqual([
    [{ scheduledAt: monday }, tuesday],
    [{ status: 'Paid' }, undefined],
  ]);
});

test('the tradie’s own change is made over the other once it is chosen, and what waited behind it follows', async () => {
  const { queue, left } = await inConflict();
  await queue.insist(left()[0]?.id ?? '');
  expect(jobAt('j1')).toMatchObject({ scheduledAt: monday, status: 'Paid' });
  expect(rows.size).toBe(0);
});

test('a part that was changed between two changes of the queue is not taken for their own work', async () => {
  const { queue, left } = tab();
  await queue.add('j1', { status: 'In progress' }, known());
  await queue.add('j1', { scheduledAt: monday }, known());
  // Another device moves the job and nothing else: the status is still free to be changed.
  changeElsewhere('j1', { scheduledAt: tuesday });
  isOut = false;
  await queue.run();
  expect(arrived).toEqual([{ status: 'In progress' }]);
  expect(left()[0]?.problem?.theirs).toMatchObject({ scheduledAt: tuesday });
});

test('once the server says that the customer was removed, nothing of them is stored', async () => {
  const { queue, left } = tab();
  await queue.add('j1', { notes: 'Ask Wei at 12', over: { notes: '', revision: 4 } }, known({ name: 'Wei' }));
  changeElsewhere('j1', { name: 'Removed customer', title: 'Removed job', notes: '-', erasedAt: monday });
  isOut = false;
  await queue.run();
  expect(left().map(({ problem }) => problem?.theirs?.isErased)).toEqual([true]);
  expect(JSON.stringify([...rows.values()])).not.toMatch(/Wei/);
});

test('what the server does not take stays with its words until it is dropped', async () => {
  const problem: Problem = { message: 'Choose a time from now on' };
  const { queue } = tab();
  await queue.add('j1', { scheduledAt: monday }, known());
  const [row] = rows.values();
  if (row) rows.set(row.id, { ...row, problem });
  isOut = false;
  await queue.run();
  expect(arrived).toEqual([]);
  expect(queue.$changes.get()[0]?.problem).toEqual(problem);
  await queue.drop(queue.$changes.get()[0]?.id ?? '');
  expect(rows.size).toBe(0);
});

test('where the browser stores nothing this page alone sends it', async () => {
  const { queue, left } = tab();
  const { put } = stored;
  Object.assign(stored, { put: () => Promise.reject(new Error('refused')) });
  await queue.add('j1', { status: 'Paid' }, known()).finally(() => Object.assign(stored, { put }));
  expect([queue.$isStored.get(), left().length, rows.size]).toEqual([false, 1, 0]);
  isOut = false;
  await queue.run();
  expect(arrived).toEqual([{ status: 'Paid' }]);
  expect(queue.$isStored.get()).toBe(true);
});
