import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mediaRoom } from '#api/businesses/safe-file.ts';
import { sweepFiles } from '#api/businesses/stored-files.ts';
import { photoLimits } from '#core/job/photos/photo-stages.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { jpeg, pdf, png, secretOfCamera, withExif } from '#tests/support/scenarios/files.ts';
import { requestedJob, slot } from '#tests/support/scenarios/job-requests.ts';
import { flakyFiles } from '#tests/support/servers/outages.ts';

let api: TestApp;
let acme: SignedIn;
let ahead = 0;
const fileStore = flakyFiles();
beforeAll(async () => {
  api = await testApp({ now: () => new Date(Date.now() + ahead), files: fileStore.wrap });
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

    const whole = await api.open(photo.url);
    const bytes = Buffer.from(await whole.bytes());
    expect(whole.headers.get('content-type')).toBe('image/jpeg');
    expect(bytes.includes(secretOfCamera)).toBe(false);
    const thumb = await api.open(photo.thumb);
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
    const answer = await api.open(`${listed?.thumb}`);
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
    fileStore.becomeUnavailable();
    expect((await send(jobId, photoId, png(40, 30))).status).toBe(503);
    fileStore.comeBack();
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
