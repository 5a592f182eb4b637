import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aCard } from '#site/jobs/a-card.fixture.ts';
import type { Change, StoredChange } from './change-queue.ts';
import { isServerThere, sendChange } from './send-change.ts';

const monday = '2026-01-05T00:00:00.000Z';
const job = { ...aCard('j1', { status: 'Quoted', scheduledAt: monday, revision: 7 }), notes: 'Side gate' };
const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  vi.stubGlobal('navigator', { onLine: true });
});
afterEach(() => vi.unstubAllGlobals());

function stored(change: Change): StoredChange {
  const seen = { revision: 4, status: 'Quoted', scheduledAt: null } as const;
  return { id: 'c1', account: 'a1', jobId: 'j1', at: 1, change, seen, job: { name: 'Wei', title: 'Sewer' } };
}

const answer = (status: number, payload: object) =>
  fetched.mockResolvedValueOnce(Response.json({ status: 'error', ...payload }, { status }));
const history = (...entries: object[]) =>
  fetched.mockResolvedValueOnce(Response.json({ status: 'ok', history: entries, next: null }));

test.each<[Change, string, object]>([
  [{ answer: 'accept' }, '/api/jobs/j1/accept', { revision: 4 }],
  [{ scheduledAt: monday }, '/api/jobs/j1', { scheduledAt: monday, revision: 4 }],
  [{ notes: 'Dog' }, '/api/jobs/j1', { notes: 'Dog', revision: 4 }],
])('%j goes to %s with the revision that it was decided on', async (change, path, body) => {
  fetched.mockResolvedValueOnce(Response.json({ status: 'ok', job }));
  expect(await sendChange(stored(change))).toEqual({ kind: 'ok', job });
  const [asked, { method, body: sent }] = fetched.mock.calls[0] ?? ['', {}];
  expect([asked, method, JSON.parse(String(sent))]).toEqual([path, 'PUT', body]);
});

test('what was changed meanwhile comes back with who did it last and when', async () => {
  answer(409, { message: 'Changed', job });
  history(
    { what: 'notes', to: 'Side gate', at: '2026-01-04T03:00:00Z', who: { kind: 'tradie', name: 'Kim' } },
    { what: 'schedule', to: monday, at: '2026-01-04T02:00:00Z', who: { kind: 'you', name: 'Dave' } },
    { what: 'schedule', to: monday, at: '2026-01-03T02:00:00Z', who: { kind: 'tradie', name: 'Kim' } },
  );
  const sent = await sendChange(stored({ scheduledAt: null }));
  expect(sent).toMatchObject({
    kind: 'refused',
    problem: {
      message: 'Changed',
      theirs: { revision: 7, status: 'Quoted', scheduledAt: monday, notes: 'Side gate', isErased: false },
      by: { name: 'Dave', isOwn: true, at: '2026-01-04T02:00:00Z' },
    },
  });
});

test('a conflict without a history is one all the same', async () => {
  answer(409, { message: 'Changed', job: { ...job, erasedAt: monday } });
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const sent = await sendChange(stored({ status: 'Paid' }));
  expect(sent).toMatchObject({ kind: 'refused', problem: { theirs: { isErased: true } } });
});

test('other refusals are in the server’s words, a bad field’s first', async () => {
  answer(404, { message: 'Job not found' });
  const missing = await sendChange(stored({ status: 'Paid' }));
  expect(missing).toEqual({ kind: 'refused', problem: { message: 'Job not found' } });
  answer(400, { message: 'Please check', fields: { scheduledAt: 'Choose a time from now on' } });
  const past = await sendChange(stored({ scheduledAt: monday }));
  expect(past).toEqual({ kind: 'refused', problem: { message: 'Choose a time from now on' } });
});

test('no answer and an outage are sent again', async () => {
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  expect(await sendChange(stored({ status: 'Paid' }))).toEqual({
    ...{ kind: 'lost', isAnswered: false, seconds: null },
  });
  fetched.mockRejectedValueOnce(new DOMException('late', 'TimeoutError'));
  expect(await sendChange(stored({ status: 'Paid' }))).toMatchObject({ kind: 'lost', isAnswered: false });
  answer(503, { message: 'Not now' });
  expect(await sendChange(stored({ status: 'Paid' }))).toMatchObject({ kind: 'lost', isAnswered: true });
});

test('a server that answers anything is there; a browser without a network asks nothing', async () => {
  fetched.mockResolvedValueOnce(new Response('', { status: 503 }));
  expect(await isServerThere()).toBe(true);
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  expect(await isServerThere()).toBe(false);
  vi.stubGlobal('navigator', { onLine: false });
  expect(await isServerThere()).toBe(false);
  expect(fetched).toHaveBeenCalledTimes(2);
});
