import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mediaRoom } from '#api/businesses/safe-file.ts';
import { newFileId, recordFile } from '#api/businesses/stored-files.ts';
import { attachMedia, storeMedia } from '#api/intake/media.ts';
import { mediaUrl } from '#api/jobs/media-link.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { mediaUpload } from '#core/values/uploads.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import {
  bomb,
  bytesOf,
  damagedPictures,
  dataUrl,
  greyAt,
  hostileScript,
  jpeg,
  lineDrawing,
  movingWebp,
  noPictures,
  pdf,
  png,
  secretOfCamera,
  turnedPng,
  webp,
  withExif,
} from '#tests/support/scenarios/files.ts';
import { flakyFiles } from '#tests/support/servers/outages.ts';
import { clamdServer, eicar } from '#tests/support/servers/providers.ts';

let api: TestApp;
let acme: SignedIn;
let rival: SignedIn;
let ahead = 0;
const fileStore = flakyFiles();
beforeAll(async () => {
  api = await testApp({ now: () => new Date(Date.now() + ahead), files: fileStore.wrap });
  [acme, rival] = [await api.signIn({ plan: 'plus' }), await api.signIn()];
});
afterAll(() => api?.close());

const store = (bytes: Uint8Array, name = 'tap.png', { businessId } = acme) =>
  storeMedia(api.deps, { businessId, bytes, name });
const refusal = (stored: Promise<unknown>) =>
  stored.then(
    () => 'stored',
    ({ status, extra, message }) => [status, extra?.fields?.media ?? message],
  );
const attach = (ids: readonly string[], jobId = newFileId(), { businessId } = acme) =>
  inTransaction(api.deps.db, (db) => attachMedia(db, { businessId, jobId, ids }, api.deps.now()));
const attached = (ids: readonly string[], jobId?: string, who?: SignedIn) =>
  attach(ids, jobId, who).then(
    (media) => media.length,
    ({ fields }) => fields.media,
  );
const linkTo = (id: string) => mediaUrl(api.deps.config, id, api.deps.now());

describe('a customer’s file', () => {
  test.each([
    ['kitchen.JPG', 'image/jpeg', async () => jpeg(80, 60)],
    ['tap', 'image/png', async () => png(80, 60)],
    ['tap.webp', 'image/webp', async () => webp(80, 60)],
    ['plan.pdf', 'application/pdf', async () => pdf],
  ] as const)('%s is stored as what it is, and saved under its name', async (name, mime, file) => {
    const media = await store(await file(), name);
    expect(media).toMatchObject({ mime, id: expect.stringMatching(/^[A-Za-z0-9_-]{32}$/) });
    const answer = await api.open(linkTo(media.id));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(mime);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="/);
    expect(answer.headers.get('content-disposition')).toContain(`"${media.name}"`);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    expect((await answer.bytes()).length).toBe(media.bytes);
  });

  test('that is a picture keeps nothing of where it was taken; a PDF stays as it is', async () => {
    const taken = await store(withExif(await jpeg(80, 60)), 'roof.jpg');
    const stored = Buffer.from(await (await api.open(linkTo(taken.id))).bytes());
    expect(stored.includes(secretOfCamera)).toBe(false);
    const drawing = await store(pdf, 'plan.pdf');
    const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
    expect(hash(await (await api.open(linkTo(drawing.id))).bytes())).toBe(hash(pdf));
  });

  test.each([
    ['a line before it', bytesOf('\r\n', pdf)],
    ['a mark of its byte order before it', bytesOf('\ufeff', pdf)],
    ['padding behind it', bytesOf(pdf, new Uint8Array(2_048))],
  ])('may be a PDF with %s, as readers open it', async (_, bytes) => {
    const { id, mime } = await store(bytes, 'plan.pdf');
    expect(mime).toBe('application/pdf');
    expect(await (await api.open(linkTo(id))).bytes()).toEqual(bytes);
  });

  test('is not a page that a PDF follows', async () => {
    const refused = [422, 'Use a PDF, or a PNG, JPEG or WebP image'];
    expect(await refusal(store(bytesOf(`\n${hostileScript}`, pdf)))).toEqual(refused);
  });

  test('that is a drawing on no ground is on white; one that its camera turned is upright', async () => {
    const drawing = await store(lineDrawing(64));
    const seen = await (await api.open(linkTo(drawing.id))).bytes();
    expect([await greyAt(seen, 2, 2), await greyAt(seen, 32, 32)]).toEqual([255, 0]);
    const turned = await store(turnedPng(png(80, 60), 6));
    const upright = await (await api.open(linkTo(turned.id))).bytes();
    expect(await new Bun.Image(upright).metadata()).toMatchObject({ width: 60, height: 80, format: 'png' });
  });

  test('is not a picture that moves', async () => {
    expect(await refusal(store(await movingWebp()))).toEqual([
      422,
      'This image moves, please use a still one',
    ]);
  });

  test.each(noPictures)('is not $name', async ({ name, bytes }) => {
    expect(await refusal(store(bytes, name))).toEqual([422, 'Use a PDF, or a PNG, JPEG or WebP image']);
  });

  test('is not damaged, cut off, or a bomb', async () => {
    for (const { name, bytes } of await damagedPictures()) {
      expect(await refusal(store(bytes)), name).toEqual([
        422,
        'This file is damaged, please use another one',
      ]);
    }
    expect(await refusal(store(pdf.subarray(0, 300)))).toEqual([422, expect.stringContaining('damaged')]);
    expect(await refusal(store(bomb.bytes))).toEqual([422, expect.stringContaining('too large')]);
  });

  test('has at most 5 MiB', async () => {
    const large = new Uint8Array(mediaUpload.bytes + 1);
    large.set(pdf);
    expect(await refusal(store(large))).toEqual([413, 'Use files of at most 5 MB']);
  });

  test('with a virus is refused, and no file is accepted while none can be looked for', async () => {
    const clamd = await clamdServer();
    const virusScan = { host: '127.0.0.1', port: clamd.port };
    const guarded = { ...api.deps, config: { ...api.deps.config, virusScan } };
    const { businessId } = acme;
    const send = (bytes: Uint8Array) => refusal(storeMedia(guarded, { businessId, bytes, name: 'plan.pdf' }));
    const infected = bytesOf('%PDF-1.7\n', eicar, '\n%%EOF\n');
    expect(await send(infected)).toEqual([422, 'Our virus scanner refuses this file']);
    expect(await send(pdf)).toBe('stored');
    clamd.become('hang-up');
    expect(await send(pdf)).toEqual([undefined, expect.stringContaining('scanner')]);
    await clamd.stop();
  });

  test('is not lost silently when the store is unavailable', async () => {
    fileStore.becomeUnavailable();
    expect(await refusal(store(pdf, 'plan.pdf'))).toEqual([undefined, 'away']);
    fileStore.comeBack();
    const { id } = await store(pdf, 'plan.pdf');
    fileStore.becomeUnavailable();
    const answer = await api.open(linkTo(id));
    fileStore.comeBack();
    expect(answer.status).toBe(503);
  });
});

describe('a link to a file', () => {
  test('is good for ten minutes, for that file, and not once it is changed', async () => {
    const [mine, other] = [await store(png(8, 8)), await store(png(8, 8))];
    const link = linkTo(mine.id);
    ahead = 9.9 * 60_000;
    expect((await api.open(link)).status).toBe(200);
    ahead = 10.1 * 60_000;
    expect((await api.open(link)).status).toBe(404);
    ahead = 0;
    for (const bad of [link.replace(mine.id, other.id), `/api/media/${mine.id}`, link.slice(0, -3)]) {
      const answer = await acme.get(bad);
      expect(answer).toMatchObject({ status: 404, body: { message: 'Not found' } });
    }
  });

  test('never leads to a logo, to a file that is gone, or out of the store', async () => {
    const { body } = await acme.put('/api/settings/branding', { logo: dataUrl(png(8, 8)) });
    const logo = body.details.logo.split('/').at(-1);
    for (const id of [logo, newFileId(), '..%2F..%2Fsecrets.json', 'x']) {
      expect((await api.open(linkTo(id))).status).toBe(404);
    }
  });
});

describe('files of a job', () => {
  test('are given to it in their order, once, and the same again is the same', async () => {
    const files = [await store(png(8, 8), 'a.png'), await store(pdf, 'b.pdf')];
    const ids = files.map(({ id }) => id);
    expect(await attach(ids, 'job-1')).toEqual(files);
    expect(await attach(ids.toReversed(), 'job-1')).toEqual(files.toReversed());
    expect(await attached(ids, 'job-2')).toBe('One of your files was lost, please add it again');
  });

  test('are the business’s own', async () => {
    const { id } = await store(png(8, 8));
    expect(await attached([id], 'job-3', rival)).toContain('lost');
    expect(await attached([newFileId()])).toContain('lost');
    expect(await attached([id, 'x'])).toContain('lost');
    expect(await attached([id])).toBe(1);
  });

  test('are five at most', async () => {
    const six = await Promise.all(Array.from({ length: 6 }, () => store(pdf, 'plan.pdf')));
    const ids = six.map(({ id }) => id);
    expect(await attached(ids)).toBe('Add at most 5 files');
    expect(await attached(ids.slice(0, 5))).toBe(5);
  });

  test('that are refused leave none of them taken', async () => {
    const { id } = await store(pdf);
    await attached([id, newFileId()]);
    expect(await attached([id])).toBe(1);
  });
});

describe('the room of a business', () => {
  const fill = async (bytes: number, attachedTo: string | null) => {
    const file = {
      id: newFileId(),
      businessId: rival.businessId,
      kind: 'media',
      name: 'x',
      mime: 'x',
    } as const;
    await recordFile(api.deps.db, { ...file, bytes }, api.deps.now());
    await api.deps.db.query(
      'update state.files set job_id = $2, expires_at = case when $2::text is null then expires_at end where id = $1',
      [file.id, attachedTo],
    );
    return () => api.deps.db.query('delete from state.files where id = $1', [file.id]);
  };

  test.each([
    ['with jobs', mediaRoom.media.attached / 2, 'job-9'],
    ['not sent yet', mediaRoom.media.waiting, null],
  ] as const)('has an end for files %s', async (_, bytes, jobId) => {
    const empty = [await fill(bytes, jobId), ...(jobId ? [await fill(bytes, jobId)] : [])];
    expect(await refusal(store(pdf, 'plan.pdf', rival))).toEqual([409, expect.stringContaining('no room')]);
    expect(await refusal(store(pdf, 'plan.pdf'))).toBe('stored');
    for (const remove of empty) await remove();
    expect(await refusal(store(pdf, 'plan.pdf', rival))).toBe('stored');
  });

  test('holds for many at once', async () => {
    const remove = await fill(mediaRoom.media.waiting - 3 * pdf.length, null);
    const all = await Promise.all(Array.from({ length: 8 }, () => refusal(store(pdf, 'plan.pdf', rival))));
    expect(all.filter((one) => one === 'stored').length).toBeLessThanOrEqual(3);
    await remove();
  });
});
