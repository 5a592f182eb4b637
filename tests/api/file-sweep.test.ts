import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sweepFiles } from '#api/businesses/files/stored-files.ts';
import { attachMedia, storeMedia } from '#api/intake/files/media.ts';
import { mediaUrl } from '#api/jobs/media-link.ts';
import type { EventStore } from '#core/event-store/port.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/api.ts';
import { bytesOf, dataUrl, png } from '#tests/support/pictures.ts';

const HOUR = 60 * 60_000;
const pdf = bytesOf('%PDF-1.7\n1 0 obj\n', 'x'.repeat(500), '\n%%EOF\n');

let api: TestApp;
let acme: SignedIn;
let ahead = 0;
beforeAll(async () => {
  api = await testApp({ now: () => new Date(Date.now() + ahead) });
  acme = await api.signIn({ plan: 'plus' });
});
beforeEach(() => {
  ahead = 0;
});
afterAll(() => api?.close());

const store = (bytes: Uint8Array) =>
  storeMedia(api.deps, { businessId: acme.businessId, bytes, name: 'plan.pdf' });
const attach = (id: string) => {
  const { businessId } = acme;
  const given = { businessId, jobId: `job-${id}`, ids: [id] };
  return inTransaction(api.deps.db, (db) => attachMedia(db, given, api.deps.now()));
};
const isThere = async (id: string) => (await api.deps.files.get(`media/${id}`)) !== null;

test('what no job needs goes after a day, bytes and all; what a job has stays', async () => {
  const [lost, stored] = [await store(pdf), await store(pdf)];
  await attach(stored.id);
  ahead = 23.9 * HOUR;
  await sweepFiles(api.deps);
  expect(await isThere(lost.id)).toBe(true);
  ahead = 24.1 * HOUR;
  await expect(attach(lost.id)).rejects.toThrow();
  expect(await sweepFiles(api.deps)).toBeGreaterThan(0);
  expect([await isThere(lost.id), await isThere(stored.id)]).toEqual([false, true]);
  expect((await api.get(mediaUrl(api.deps.config, stored.id, api.deps.now()))).status).toBe(200);
  expect(await sweepFiles(api.deps)).toBe(0);
});

test('so do logos that were replaced, but not one whose process died before it recorded that it is shown', async () => {
  const logo = async (side: number): Promise<string> => {
    const { body } = await acme.put('/api/settings/branding', { logo: dataUrl(png(side, 8)) });
    return body.details.logo;
  };
  const [first, second] = [await logo(8), await logo(9)];
  await api.deps.db.query(`update state.files set expires_at = created_at where id = $1`, [second.slice(7)]);
  ahead = 25 * HOUR;
  await sweepFiles(api.deps);
  expect(await api.deps.files.get(first.slice(1) as `logos/${string}`)).toBeNull();
  expect(await api.deps.files.get(second.slice(1) as `logos/${string}`)).not.toBeNull();
});

test('but no logo of a business whose history cannot be read', async () => {
  const { body } = await acme.put('/api/settings/branding', { logo: dataUrl(png(8, 8)) });
  const id = body.details.logo.slice('/logos/'.length);
  await api.deps.db.query('update state.files set expires_at = created_at where id = $1', [id]);
  const unreadable = async (...args: Parameters<EventStore['readStream']>) =>
    (await api.deps.store.readStream(...args)).map(({ event: _, ...recorded }) => recorded);
  ahead = 25 * HOUR;
  const half = { ...api.deps, store: { ...api.deps.store, readStream: unreadable } };
  await expect(sweepFiles(half)).rejects.toThrow();
  expect(await api.deps.files.get(`logos/${id}`)).not.toBeNull();
});

test('two may sweep at once', async () => {
  await Promise.all(Array.from({ length: 5 }, () => store(pdf)));
  ahead = 26 * HOUR;
  const counts = await Promise.all([sweepFiles(api.deps), sweepFiles(api.deps)]);
  expect(counts[0] + counts[1]).toBeGreaterThanOrEqual(5);
});
