import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { JobView } from '#core/job/view.ts';
import { aCard } from '#site/jobs/a-card.fixture.ts';
import { createAnswers } from '#site/jobs/changes/change-job.ts';
import { $jobCards, storeCards } from '#site/jobs/job-stores.ts';
import { queriesOf } from '#site/lib/http/queries.fixture.ts';
import { createWaiting, hasJobs, mostWaiting } from './dashboard-stores.ts';

const answerJob = vi.fn();
const fetchJobs = vi.fn();
const { $answering, giveAnswer } = createAnswers({
  ...{ answerJob, toast: { error: vi.fn() } },
  showChanged: (_, job) => storeCards([job]),
  refreshCounts: async () => undefined,
  waitForSignal: async () => false,
});
const waitingJobs = createWaiting({
  ...{ fetchJobs, query: queriesOf(vi.fn()).query },
  isAnswering: (id) => $answering.get()[id] !== undefined,
});

const accepted = aCard('j1', { status: 'To quote', revision: 1 }) as JobView;
const listed = () => waitingJobs.$state.get().data?.ids;

/** What the API lists as waiting, newest first. */
const waiting = (...ids: string[]) =>
  fetchJobs.mockResolvedValue({ jobs: ids.toReversed().map((id) => aCard(id)), more: false });

beforeEach(async () => {
  $jobCards.set({});
  vi.stubGlobal('navigator', { onLine: true });
  waiting('j1', 'j2');
  await waitingJobs.refresh();
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a job that was answered here stays in its place', async () => {
  answerJob.mockResolvedValueOnce(accepted);
  await giveAnswer('j1', 'accept');
  waiting('j2', 'j3');
  await waitingJobs.refresh();
  expect(listed()).toEqual(['j1', 'j2', 'j3']);
});

test('it stays in its place when the list has the answer before the answer is back', async () => {
  let answer: (job: JobView) => void = () => undefined;
  answerJob.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  const given = giveAnswer('j2', 'accept');
  waiting();
  await waitingJobs.refresh();
  expect(listed()).toContain('j2');
  answer({ ...accepted, id: 'j2' });
  await given;
});

test('what is urgent stands before what is older', async () => {
  const [old, urgent] = [
    aCard('old'),
    aCard('urgent', { isUrgent: true, createdAt: '2026-01-05T03:00:00Z' }),
  ];
  waitingJobs.update(() => ({ ids: [], known: [] }));
  fetchJobs.mockResolvedValue({ jobs: [urgent, old], more: false });
  await waitingJobs.refresh();
  expect(listed()).toEqual(['urgent', 'old']);
});

test('an urgent job that arrives stands first, what else arrives last', async () => {
  waitingJobs.update(() => ({ ids: ['j1', 'j2'], known: ['j1', 'j2'] }));
  const [urgent, held] = [
    aCard('j3', { isUrgent: true, createdAt: '2026-01-05T03:00:00Z' }),
    aCard('j4', { isUrgent: true, heldFor: 'rush' }),
  ];
  fetchJobs.mockResolvedValue({ jobs: [held, urgent, aCard('j2'), aCard('j1')], more: false });
  await waitingJobs.refresh();
  expect(listed()).toEqual(['j3', 'j1', 'j2', 'j4']);
});

test('a job that was answered elsewhere leaves', async () => {
  waiting('j4');
  await waitingJobs.refresh();
  waiting();
  await waitingJobs.refresh();
  expect(listed()).not.toContain('j4');
});

test('what arrives is added at the end, however many wait; the others move up as jobs are answered', async () => {
  const many = Array.from({ length: 12 }, (_, place) => `m${String(place).padStart(2, '0')}`);
  waiting();
  await waitingJobs.refresh();
  waitingJobs.update(() => ({ ids: many.slice(0, mostWaiting), known: many }));
  waiting(...many, 'new');
  await waitingJobs.refresh();
  expect(listed()).toEqual([...many.slice(0, mostWaiting), 'new']);
  waiting(...many.slice(2), 'new');
  await waitingJobs.refresh();
  expect(listed()).toEqual([...many.slice(2, mostWaiting), 'new', 'm10']);
});

test('a request that is held for review is a job though it is not counted', () => {
  const counts = { today: 0, new: 0, inProgress: 0, all: 0 };
  const none = { ids: [], known: [] };
  expect(hasJobs(undefined, undefined)).toBeNull();
  expect(hasJobs(counts, undefined)).toBeNull();
  expect(hasJobs(counts, none)).toBe(false);
  expect(hasJobs(counts, { ids: ['held'], known: ['held'] })).toBe(true);
  expect(hasJobs({ ...counts, all: 1 }, undefined)).toBe(true);
});
