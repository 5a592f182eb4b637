import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sealFiles } from '#api/businesses/files/seal-files.ts';
import { sweepFiles } from '#api/businesses/stored-files.ts';
import { attachMedia, storeMedia } from '#api/intake/media.ts';
import { mediaUrl, thumbnailUrl } from '#api/jobs/media-link.ts';
import type { EventStore } from '#core/event-store/port.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { dataUrl, pdf, png } from '#tests/support/scenarios/files.ts';

const HOUR = 60 * 60_000;

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

describe('sealed at rest', () => {
  const onDisk = async (id: string) => Buffer.from((await api.storedFiles.get(`media/${id}`)) ?? []);
  const rowOf = async (id: string) =>
    (await api.deps.db.query('select job_id, sealed_for from state.files where id = $1', [id])).rows[0];
  const keyOf = async (subject: string) =>
    (await api.deps.subjectKeys.find([subject])).get(subject) ?? 'none';
  /** A file whose job is there, still under its own key. */
  async function attached(): Promise<string> {
    const { id } = await store(pdf);
    await attach(id);
    return id;
  }

  test('a file is under a key of its own until its job is there, and then under that of its customer', async () => {
    await sealFiles(api.deps);
    const { id } = await store(pdf);
    expect((await onDisk(id)).includes('%PDF')).toBe(false);
    expect(await rowOf(id)).toEqual({ job_id: null, sealed_for: `upload-${id}` });
    expect(await sealFiles(api.deps)).toBe(0);
    await attach(id);
    expect(await sealFiles(api.deps)).toBe(1);
    expect(await rowOf(id)).toEqual({ job_id: `job-${id}`, sealed_for: `customer-job-${id}` });
    expect((await onDisk(id)).includes(`customer-job-${id}`)).toBe(true);
    expect([await keyOf(`upload-${id}`), await sealFiles(api.deps)]).toEqual(['destroyed', 0]);
    const answer = await api.app.handle(
      new Request(`http://localhost${mediaUrl(api.deps.config, id, api.deps.now())}`),
    );
    expect(Buffer.from(await answer.bytes()).equals(pdf)).toBe(true);
    expect(answer.headers.get('content-length')).toBe(String(pdf.length));
  });

  test('one whose job is there is readable, and sealed by the chore, which removes the small picture', async () => {
    const id = await attached();
    await api.deps.files.put(`thumbs/${id}`, pdf, 'image/webp');
    expect(Buffer.from((await api.deps.files.get(`media/${id}`)) ?? []).equals(pdf)).toBe(true);
    expect(await sealFiles(api.deps)).toBe(1);
    expect((await onDisk(id)).includes('%PDF')).toBe(false);
    expect(await api.storedFiles.get(`thumbs/${id}`)).toBeNull();
    expect(Buffer.from((await api.deps.files.get(`media/${id}`)) ?? []).equals(pdf)).toBe(true);
  });

  test('one whose key is gone is not found', async () => {
    const id = await attached();
    await sealFiles(api.deps);
    await api.deps.subjectKeys.destroy(`customer-job-${id}`);
    const [whole, small] = [mediaUrl, thumbnailUrl].map((link) => link(api.deps.config, id, api.deps.now()));
    expect([(await api.get(whole ?? '')).status, (await api.get(small ?? '')).status]).toEqual([404, 404]);
  });

  test('one that no job needs takes its key along', async () => {
    const { id } = await store(pdf);
    ahead = 25 * HOUR;
    await sweepFiles(api.deps);
    expect(await keyOf(`upload-${id}`)).toBe('destroyed');
  });

  test('one that cannot be sealed just now holds up no other, and is sealed by the next run', async () => {
    const ids = [await attached(), await attached()].toSorted();
    const files = {
      ...api.deps.files,
      get: (key: `media/${string}`) =>
        key === `media/${ids[0]}` ? Promise.reject(new Error('away')) : api.deps.files.get(key),
    } as typeof api.deps.files;
    await expect(sealFiles({ ...api.deps, files })).rejects.toThrow('away');
    expect((await rowOf(ids[1] ?? '')).sealed_for).not.toBeNull();
    expect(await sealFiles(api.deps)).toBe(1);
  });

  test('one that is removed while it is sealed does not come back', async () => {
    const id = await attached();
    const files = {
      ...api.deps.files,
      async put(...args: Parameters<typeof api.deps.files.put>) {
        await api.deps.files.put(...args);
        await api.deps.db.query('delete from state.files where id = $1', [id]);
      },
    };
    expect(await sealFiles({ ...api.deps, files })).toBe(0);
    expect(await api.storedFiles.get(`media/${id}`)).toBeNull();
  });

  test('two may seal at once', async () => {
    const ids = [await attached(), await attached(), await attached()];
    await Promise.all([sealFiles(api.deps), sealFiles(api.deps)]);
    for (const id of ids)
      expect(Buffer.from((await api.deps.files.get(`media/${id}`)) ?? []).equals(pdf)).toBe(true);
  });
});
