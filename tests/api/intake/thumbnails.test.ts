import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweepFiles } from '#api/businesses/stored-files.ts';
import { storeMedia } from '#api/intake/media.ts';
import { mediaUrl, thumbnailUrl } from '#api/jobs/media-link.ts';
import type { FileStore } from '#api/providers/files.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { greyAt, jpeg, lineDrawing, pdf, pictureBomb, png, webp } from '#tests/support/scenarios/files.ts';
import { flakyFiles } from '#tests/support/servers/outages.ts';

let api: TestApp;
let acme: SignedIn;
let ahead = 0;
const fileStore = flakyFiles();
let beforePut = (_key: string) => Promise.resolve();
const slow = (files: FileStore): FileStore => ({
  ...files,
  put: async (...args) => {
    await beforePut(args[0]);
    await files.put(...args);
  },
});
beforeAll(async () => {
  api = await testApp({
    now: () => new Date(Date.now() + ahead),
    files: (files) => fileStore.wrap(slow(files)),
  });
  acme = await api.signIn({ plan: 'plus' });
});
afterAll(() => api?.close());

const store = (bytes: Uint8Array, name = 'tap.png', { businessId } = acme) =>
  storeMedia(api.deps, { businessId, bytes, name });

describe('the small picture of a file', () => {
  const small = (id: string) => api.open(thumbnailUrl(api.deps.config, id, api.deps.now()));

  test.each([
    ['a PNG', async () => pictureBomb(1_000), [320, 320]],
    ['a JPEG that is small already', () => jpeg(80, 60), [80, 60]],
    ['a WebP that is small already', () => webp(60, 80), [60, 80]],
  ] as const)('is a WebP to be shown, of %s', async (_, file, [width, height]) => {
    const { id } = await store(await file());
    const answer = await small(id);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/webp');
    expect(answer.headers.get('content-disposition')).toBe('inline');
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const bytes = await answer.bytes();
    expect(bytes.length).toBeLessThanOrEqual(25_000);
    expect(await new Bun.Image(bytes).metadata()).toMatchObject({ width, height });
  });

  test('is at most 25 kB of whatever there is to see', async () => {
    const { id } = await store(png(1_200, 1_000));
    expect((await (await small(id)).bytes()).length).toBeLessThanOrEqual(25_000);
  });

  test('is on white of what was stored on no ground', async () => {
    const { id } = await store(png(8, 8));
    await api.deps.files.put(`media/${id}`, lineDrawing(64), 'image/png');
    const seen = await (await small(id)).bytes();
    expect(await greyAt(seen, 2, 2)).toBeGreaterThan(250);
    expect(await greyAt(seen, 32, 32)).toBeLessThan(5);
  });

  test('is made once, and goes with its file', async () => {
    const { id } = await store(png(80, 60));
    const [first, second] = await Promise.all([small(id), small(id)]);
    expect(await first.bytes()).toEqual(await second.bytes());
    expect(await api.deps.files.get(`thumbs/${id}`)).not.toBeNull();
    await api.deps.files.remove(`media/${id}`);
    expect((await small(id)).status).toBe(200);
    await api.deps.db.query('update state.files set expires_at = created_at where id = $1', [id]);
    ahead = 5 * 60_000;
    await sweepFiles(api.deps);
    ahead = 0;
    expect(await api.deps.files.get(`thumbs/${id}`)).toBeNull();
    expect((await small(id)).status).toBe(404);
  });

  test('does not outlive a file that is removed while it is drawn', async () => {
    const { id } = await store(png(80, 60));
    beforePut = async (key) => {
      beforePut = () => Promise.resolve();
      expect(key).toBe(`thumbs/${id}`);
      await api.deps.db.query('update state.files set expires_at = created_at where id = $1', [id]);
      ahead = 5 * 60_000;
      expect(await sweepFiles(api.deps)).toBe(1);
      ahead = 0;
    };
    expect((await small(id)).status).toBe(404);
    expect(await api.deps.files.get(`thumbs/${id}`)).toBeNull();
  });

  test('of a picture that cannot be drawn is tried once', async () => {
    const { id } = await store(png(80, 60));
    const damaged = png(80, 60).subarray(0, 60);
    await api.deps.files.put(`media/${id}`, damaged, 'image/png');
    expect((await small(id)).status).toBe(404);
    await api.deps.files.put(`media/${id}`, png(80, 60), 'image/png');
    expect((await small(id)).status).toBe(404);
  });

  test('is made later when the store was unavailable', async () => {
    const { id } = await store(png(80, 60));
    fileStore.becomeUnavailable();
    expect((await small(id)).status).toBe(503);
    fileStore.comeBack();
    expect((await small(id)).status).toBe(200);
  });

  test('is not found for what is no picture, or by a link that is none', async () => {
    const { id } = await store(pdf, 'plan.pdf');
    expect((await small(id)).status).toBe(404);
    expect((await api.open(`/api/media/${(await store(png(8, 8))).id}?size=thumb`)).status).toBe(404);
    const { id: picture } = await store(png(8, 8));
    expect((await api.open(`${mediaUrl(api.deps.config, picture, api.deps.now())}&size=thumb`)).status).toBe(
      404,
    );
    const whole = thumbnailUrl(api.deps.config, picture, api.deps.now()).replace('&size=thumb', '');
    expect((await api.open(whole)).status).toBe(404);
  });
});
