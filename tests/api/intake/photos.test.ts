import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mediaRoom } from '#api/businesses/files/safe-file.ts';
import { newFileId, recordFile, sweepFiles } from '#api/businesses/files/stored-files.ts';
import { attachMedia, storeMedia } from '#api/intake/files/media.ts';
import { mediaUrl, thumbnailUrl } from '#api/jobs/media-link.ts';
import type { FileStore } from '#api/providers/files.ts';
import { photoLimits } from '#core/job/photo-stages.ts';
import { OutageError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { mediaUpload } from '#core/values/uploads.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import {
  bomb,
  bytesOf,
  damagedPictures,
  dataUrl,
  jpeg,
  noPictures,
  pictureBomb,
  png,
  secretOfCamera,
  webp,
  withExif,
} from '#tests/support/scenarios/files.ts';
import { requestedJob } from '#tests/support/scenarios/job-requests.ts';
import { slot } from '#tests/support/scenarios/slots.ts';
import { clamdServer, eicar } from '#tests/support/servers/clamd-server.ts';

describe('media', () => {
  const pdf = bytesOf('%PDF-1.7\n1 0 obj\n', 'x'.repeat(500), '\n%%EOF\n');

  let api: TestApp;
  let acme: SignedIn;
  let rival: SignedIn;
  let ahead = 0;
  let isUnavailable = false;
  const fallible = (files: FileStore): FileStore => ({
    ...files,
    put: (...args) => (isUnavailable ? Promise.reject(new OutageError('away')) : files.put(...args)),
    get: (...args) => (isUnavailable ? Promise.reject(new OutageError('away')) : files.get(...args)),
  });
  beforeAll(async () => {
    api = await testApp({ now: () => new Date(Date.now() + ahead), files: fallible });
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
  const open = (path: string) => api.app.handle(new Request(`http://localhost${path}`));

  describe('a customer’s file', () => {
    test.each([
      ['kitchen.JPG', 'image/jpeg', async () => jpeg(80, 60)],
      ['tap', 'image/png', async () => png(80, 60)],
      ['tap.webp', 'image/webp', async () => webp(80, 60)],
      ['plan.pdf', 'application/pdf', async () => pdf],
    ] as const)('%s is stored as what it is, and saved under its name', async (name, mime, file) => {
      const media = await store(await file(), name);
      expect(media).toMatchObject({ mime, id: expect.stringMatching(/^[A-Za-z0-9_-]{32}$/) });
      const answer = await open(linkTo(media.id));
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
      const stored = Buffer.from(await (await open(linkTo(taken.id))).bytes());
      expect(stored.includes(secretOfCamera)).toBe(false);
      const drawing = await store(pdf, 'plan.pdf');
      const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
      expect(hash(await (await open(linkTo(drawing.id))).bytes())).toBe(hash(pdf));
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
      const send = (bytes: Uint8Array) =>
        refusal(storeMedia(guarded, { businessId, bytes, name: 'plan.pdf' }));
      const infected = bytesOf('%PDF-1.7\n', eicar, '\n%%EOF\n');
      expect(await send(infected)).toEqual([422, 'Our virus scanner refuses this file']);
      expect(await send(pdf)).toBe('stored');
      clamd.become('hang-up');
      expect(await send(pdf)).toEqual([undefined, expect.stringContaining('scanner')]);
      await clamd.stop();
    });

    test('is not lost silently when the store is unavailable', async () => {
      isUnavailable = true;
      expect(await refusal(store(pdf, 'plan.pdf'))).toEqual([undefined, 'away']);
      isUnavailable = false;
      const { id } = await store(pdf, 'plan.pdf');
      isUnavailable = true;
      const answer = await open(linkTo(id));
      isUnavailable = false;
      expect(answer.status).toBe(503);
    });
  });

  describe('a link to a file', () => {
    test('is good for ten minutes, for that file, and not once it is changed', async () => {
      const [mine, other] = [await store(png(8, 8)), await store(png(8, 8))];
      const link = linkTo(mine.id);
      ahead = 9.9 * 60_000;
      expect((await open(link)).status).toBe(200);
      ahead = 10.1 * 60_000;
      expect((await open(link)).status).toBe(404);
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
        expect((await open(linkTo(id))).status).toBe(404);
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
});

describe('photos', () => {
  let api: TestApp;
  let acme: SignedIn;
  let ahead = 0;
  let isUnavailable = false;
  const fallible = (files: FileStore): FileStore => ({
    ...files,
    put: (...args) => (isUnavailable ? Promise.reject(new OutageError('away')) : files.put(...args)),
  });
  beforeAll(async () => {
    api = await testApp({ now: () => new Date(Date.now() + ahead), files: fallible });
    acme = await api.signIn({ plan: 'plus' });
  });
  afterAll(() => api?.close());

  const newId = () => crypto.randomUUID().replaceAll('-', '');
  const pathOf = (jobId: string, photoId: string) => `/api/jobs/${jobId}/photos/${photoId}`;
  const send = (jobId: string, photoId: string, bytes: Uint8Array<ArrayBuffer>, stage = 'before') =>
    acme.send('PUT', `${pathOf(jobId, photoId)}?stage=${stage}`, { body: bytes });
  const typesOf = async (jobId: string) =>
    (await api.deps.store.readStream(streamName('job', jobId))).map(({ type }) => type);

  async function acceptedJob(): Promise<string> {
    const id = await requestedJob(api, acme);
    await acme.put(`/api/jobs/${id}/accept`);
    return id;
  }

  async function stored(photoId: string) {
    const { rows } = await api.deps.db.query(
      'select kind, job_id, bytes, expires_at from state.files where id = $1',
      [photoId],
    );
    return rows[0];
  }

  describe('a photo of the work', () => {
    test('is in the job with its stage, a small picture and the hash of its bytes in the event', async () => {
      const [jobId, photoId] = [await acceptedJob(), newId()];
      const { status, body } = await send(jobId, photoId, withExif(await jpeg(640, 480)), 'after');
      expect(status).toBe(200);
      const [photo] = body.job.photos;
      expect(photo).toMatchObject({ id: photoId, stage: 'after', caption: '' });
      expect(body.job.media).toEqual([]);
      await api.settle();
      expect((await acme.get(`/api/jobs/${jobId}`)).body.job.photos).toMatchObject([{ id: photoId }]);

      const whole = await api.app.handle(new Request(`http://localhost${photo.url}`));
      const bytes = Buffer.from(await whole.bytes());
      expect(whole.headers.get('content-type')).toBe('image/jpeg');
      expect(bytes.includes(secretOfCamera)).toBe(false);
      const thumb = await api.app.handle(new Request(`http://localhost${photo.thumb}`));
      expect([thumb.status, thumb.headers.get('content-type')]).toEqual([200, 'image/webp']);
      const event = (await api.deps.store.readStream(streamName('job', jobId))).at(-1)?.event;
      expect(event).toMatchObject({
        type: 'JobPhotoAdded',
        data: { photoId, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('base64') },
      });
    });

    test('is counted on the card of its job, with the customer’s pictures', async () => {
      const [jobId, photoId] = [await acceptedJob(), newId()];
      const counted = async () => {
        await api.settle();
        return (await acme.get('/api/jobs?limit=1')).body.jobs[0].pictures;
      };
      expect(await counted()).toBe(0);
      expect((await send(jobId, photoId, png(40, 30))).body.job.pictures).toBe(1);
      expect((await send(jobId, newId(), png(40, 30))).body.job.pictures).toBe(2);
      expect(await counted()).toBe(2);
      expect((await acme.delete(pathOf(jobId, photoId))).status).toBe(200);
      expect(await counted()).toBe(1);
    });

    test('is the picture of its card in the lists and on the schedule, by the same address for an hour', async () => {
      const [jobId, photoId] = [await acceptedJob(), newId()];
      await acme.put(`/api/jobs/${jobId}`, { scheduledAt: slot(1, '09:30') });
      const cards = async (): Promise<{ thumb?: string }[]> => {
        await api.settle();
        const [list, schedule] = [await acme.get('/api/jobs?limit=1'), await acme.get('/api/jobs/schedule')];
        const isIt = ({ id }: { id: string }) => id === jobId;
        return [list.body.jobs.find(isIt), schedule.body.jobs.find(isIt)];
      };
      for (const card of await cards()) expect(card).not.toHaveProperty('thumb');
      const { job } = (await send(jobId, photoId, png(40, 30))).body;
      expect(job.thumb).toBe(job.photos[0].thumb);
      const [listed, scheduled] = await cards();
      expect([listed?.thumb, scheduled?.thumb]).toEqual([job.thumb, job.thumb]);
      const answer = await api.app.handle(new Request(`http://localhost${listed?.thumb}`));
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('private, max-age=86400, immutable');
      await acme.delete(pathOf(jobId, photoId));
      for (const card of await cards()) expect(card).not.toHaveProperty('thumb');
    });

    test('sent twice is one photo, also at once, and when the first answer was lost', async () => {
      const [jobId, photoId] = [await acceptedJob(), newId()];
      const answers = await Promise.all([1, 2, 3].map(() => send(jobId, photoId, png(40, 30))));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect((await send(jobId, photoId, png(40, 30))).body.job.photos).toHaveLength(1);
      expect((await typesOf(jobId)).filter((type) => type === 'JobPhotoAdded')).toHaveLength(1);
      expect(await stored(photoId)).toMatchObject({ kind: 'photo', job_id: jobId, expires_at: null });
    });

    test('is sent anew when the store was unavailable', async () => {
      const [jobId, photoId] = [await acceptedJob(), newId()];
      isUnavailable = true;
      expect((await send(jobId, photoId, png(40, 30))).status).toBe(503);
      isUnavailable = false;
      expect(await typesOf(jobId)).not.toContain('JobPhotoAdded');
      expect((await send(jobId, photoId, png(40, 30))).body.job.photos).toHaveLength(1);
    });

    test('brings its caption along in a header, so that no log of addresses has it', async () => {
      const [jobId, photoId] = [await acceptedJob(), newId()];
      const sendWith = (caption: string) =>
        acme.send('PUT', `${pathOf(jobId, photoId)}?stage=before`, {
          body: png(8, 8),
          headers: { 'x-caption': caption },
        });
      for (const bad of ['%zz', '%00', 'x'.repeat(photoLimits.caption + 1)])
        expect(await sendWith(bad)).toMatchObject({
          status: 422,
          body: { fields: { caption: expect.anything() } },
        });
      expect((await sendWith(encodeURIComponent('Ventil, größer'))).body.job.photos).toMatchObject([
        { caption: 'Ventil, größer' },
      ]);
    });

    test('is a picture of at most 5 MB', async () => {
      const jobId = await acceptedJob();
      const pdf = bytesOf('%PDF-1.7\n1 0 obj\n', 'x'.repeat(500), '\n%%EOF\n');
      expect(await send(jobId, newId(), pdf)).toMatchObject({
        status: 422,
        body: { fields: { media: 'Use a PNG, JPEG or WebP image' } },
      });
      expect((await send(jobId, newId(), new Uint8Array(5 * 1024 * 1024 + 1))).status).toBe(413);
      expect((await send(jobId, newId(), png(8, 8), 'never')).status).toBe(422);
      expect((await send(jobId, 'IMG_0042', png(8, 8))).status).toBe(404);
      expect(await typesOf(jobId)).not.toContain('JobPhotoAdded');
    });

    test('is refused while the job waits, with the job as it is, and its bytes go', async () => {
      const [jobId, photoId] = [await requestedJob(api, acme), newId()];
      expect(await send(jobId, photoId, png(8, 8))).toMatchObject({
        status: 409,
        body: { message: 'Accept the job to add photos', job: { status: 'Pending' } },
      });
      expect((await stored(photoId)).expires_at).not.toBeNull();
    });

    test('is described: another stage, and a caption of 100 letters', async () => {
      const [jobId, photoId] = [await acceptedJob(), newId()];
      await send(jobId, photoId, png(8, 8));
      const said = (caption: string) => acme.post(pathOf(jobId, photoId), { stage: 'during', caption });
      expect((await said(' The old valve ')).body.job.photos).toMatchObject([
        { stage: 'during', caption: 'The old valve' },
      ]);
      expect((await said('x'.repeat(photoLimits.caption + 1))).status).toBe(422);
      expect((await acme.post(pathOf(jobId, newId()), { stage: 'during', caption: '' })).status).toBe(404);
      const { history } = (await acme.get(`/api/jobs/${jobId}/history`)).body;
      expect(history.slice(0, 2).map(({ text }: { text: string }) => text)).toEqual([
        expect.stringContaining('changed what a photo shows'),
        expect.stringContaining('added a before photo'),
      ]);
    });

    test('is removed, and is back within a day; then its bytes are gone', async () => {
      const [jobId, photoId] = [await acceptedJob(), newId()];
      await send(jobId, photoId, png(8, 8));
      expect((await acme.delete(pathOf(jobId, photoId))).body.job.photos).toEqual([]);
      expect((await stored(photoId)).expires_at).not.toBeNull();
      const back = () => acme.post(pathOf(jobId, photoId), { stage: 'before', caption: 'Still true' });
      expect((await back()).body.job.photos).toMatchObject([{ id: photoId, caption: 'Still true' }]);
      expect((await stored(photoId)).expires_at).toBeNull();

      await acme.delete(pathOf(jobId, photoId));
      ahead = 25 * 60 * 60_000;
      await sweepFiles(api.deps);
      ahead = 0;
      expect(await api.deps.files.get(`media/${photoId}`)).toBeNull();
      expect((await back()).status).toBe(404);
    });

    test('has a room that what strangers send does not take', async () => {
      const busy = await api.signIn({ plan: 'plus' });
      const jobId = await requestedJob(api, busy);
      await busy.put(`/api/jobs/${jobId}/accept`);
      const fill = (kind: string, gib: number) =>
        api.deps.db.query(
          `insert into state.files (id, business_id, kind, name, mime, bytes, job_id, created_at)
         select gen_random_uuid()::text, $1, $2, 'x', 'x', 1073741824, 'job-9', now() from generate_series(1, $3)`,
          [busy.businessId, kind, gib],
        );
      const sendOne = () => busy.send('PUT', `${pathOf(jobId, newId())}?stage=before`, { body: png(8, 8) });
      await fill('media', mediaRoom.media.attached / 1024 ** 3);
      expect((await sendOne()).status).toBe(200);
      await fill('photo', mediaRoom.photo.attached / 1024 ** 3);
      expect(await sendOne()).toMatchObject({
        status: 409,
        body: { message: 'There is no room for more photos: remove some of old jobs first' },
      });
    });

    test('is nothing of another business’s, whose ids tell nothing', async () => {
      const rival = await api.signIn();
      const [jobId, photoId] = [await acceptedJob(), newId()];
      await send(jobId, photoId, png(8, 8));
      const theirs = await requestedJob(api, rival);
      await rival.put(`/api/jobs/${theirs}/accept`);
      const bytes = { body: png(9, 9) };
      expect((await rival.send('PUT', `${pathOf(theirs, photoId)}?stage=before`, bytes)).status).toBe(404);
      expect((await rival.delete(pathOf(jobId, photoId))).status).toBe(404);
      expect((await acme.get(`/api/jobs/${jobId}`)).body.job.photos).toHaveLength(1);
    });
  });
});

describe('thumbnails', () => {
  const pdf = bytesOf('%PDF-1.7\n1 0 obj\n', 'x'.repeat(500), '\n%%EOF\n');

  let api: TestApp;
  let acme: SignedIn;
  let ahead = 0;
  let isUnavailable = false;
  let beforePut = (_key: string) => Promise.resolve();
  const fallible = (files: FileStore): FileStore => ({
    ...files,
    put: async (...args) => {
      if (isUnavailable) throw new OutageError('away');
      await beforePut(args[0]);
      await files.put(...args);
    },
    get: (...args) => (isUnavailable ? Promise.reject(new OutageError('away')) : files.get(...args)),
  });
  beforeAll(async () => {
    api = await testApp({ now: () => new Date(Date.now() + ahead), files: fallible });
    acme = await api.signIn({ plan: 'plus' });
  });
  afterAll(() => api?.close());

  const store = (bytes: Uint8Array, name = 'tap.png', { businessId } = acme) =>
    storeMedia(api.deps, { businessId, bytes, name });
  const open = (path: string) => api.app.handle(new Request(`http://localhost${path}`));

  describe('the small picture of a file', () => {
    const small = (id: string) => open(thumbnailUrl(api.deps.config, id, api.deps.now()));

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
      isUnavailable = true;
      expect((await small(id)).status).toBe(503);
      isUnavailable = false;
      expect((await small(id)).status).toBe(200);
    });

    test('is not found for what is no picture, or by a link that is none', async () => {
      const { id } = await store(pdf, 'plan.pdf');
      expect((await small(id)).status).toBe(404);
      expect((await open(`/api/media/${(await store(png(8, 8))).id}?size=thumb`)).status).toBe(404);
      const { id: picture } = await store(png(8, 8));
      expect((await open(`${mediaUrl(api.deps.config, picture, api.deps.now())}&size=thumb`)).status).toBe(
        404,
      );
      const whole = thumbnailUrl(api.deps.config, picture, api.deps.now()).replace('&size=thumb', '');
      expect((await open(whole)).status).toBe(404);
    });
  });
});
