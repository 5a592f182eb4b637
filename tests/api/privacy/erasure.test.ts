import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut } from '#api/privacy/carry-out.ts';
import { carryOutDue } from '#api/privacy/due-erasures.ts';
import { listErasures } from '#api/privacy/erasures.ts';
import { places } from '#api/privacy/places.ts';
import { cancelErasure, requestErasure } from '#api/privacy/request-erasure.ts';
import { verifyChain } from '#core/event-store/chain.ts';
import { openEmbeddedLog } from '#core/event-store/embedded/event-store.ts';
import { findUnerased } from '#projections/jobs/erased.ts';
import { detailsTable, erasedColumns, jobsTable, jobTables } from '#projections/jobs/table.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { deliver, sentMail } from '#tests/support/app/messages.ts';
import {
  copyOutWithSamples,
  erasing,
  findMarkers,
  forgetCustomers,
  type Markers,
} from '#tests/support/scenarios/erasing.ts';
import { png } from '#tests/support/scenarios/files.ts';
import { aNewJob, aTicket, requestedJob } from '#tests/support/scenarios/job-requests.ts';

let api: TestApp;
let acme: SignedIn;
let ahead = 0;
const day = 86_400_000;
let forgetting: ReturnType<typeof erasing>['deps'];

beforeAll(async () => {
  api = await testApp({ processes: true, now: () => new Date(Date.now() + ahead) });
  acme = await api.signIn({ plan: 'plus' });
  forgetting = erasing(api).deps;
});
afterAll(() => api?.close());

/** One text for each thing that is typed about a customer: no two alike. */
const markers = {
  'the name': 'Wilhelmina Qurazy',
  'the email': 'wilhelmina.q@qurazy.example',
  'the phone': '491570159',
  'the address': '77 Zephyranthes Lane, Fitzroy VIC 3065',
  'the title': 'Xylophonic boiler',
  'the description': 'Underfloor gurgling nightly',
  'the wished time': 'Thursdays after vespers',
  'the first notes': 'Beware of Cerberus the dog',
  'the later notes': 'Spare key with Mnemosyne',
  "the file's name": 'crankshaft-photograph',
  'the caption': 'Behind the velvet curtain',
} as const satisfies Markers;

const request = {
  ...{ name: markers['the name'], email: markers['the email'], phone: '0491 570 159' },
  ...{ address: markers['the address'], title: markers['the title'] },
  ...{ description: markers['the description'], wishedTime: markers['the wished time'] },
};

/** A job that came with everything: a file, notes that were taken back, messages that went out. */
async function aWholeJob(): Promise<string> {
  const ticket = await aTicket(api, 'public-form', acme.slug);
  const uploaded = await api.send(
    'POST',
    `/api/public-forms/${acme.slug}/media?name=${markers["the file's name"]}.png`,
    {
      body: new Uint8Array(png(60, 40)),
      headers: { 'x-bot-check': ticket },
    },
  );
  expect(uploaded.status).toBe(200);
  const jobId = await requestedJob(
    api,
    acme,
    { ...request, media: [uploaded.body.media.id] },
    { 'x-bot-check': ticket },
  );
  await deliver(api);
  await acme.put(`/api/jobs/${jobId}/accept`);
  for (const notes of [markers['the first notes'], markers['the later notes']])
    expect((await acme.put(`/api/jobs/${jobId}`, { notes })).status).toBe(200);
  const photo = `/api/jobs/${jobId}/photos/${crypto.randomUUID().replaceAll('-', '')}`;
  await acme.send('PUT', `${photo}?stage=before`, { body: png(60, 40) });
  await acme.post(photo, { stage: 'before', caption: markers['the caption'] });
  await api.settle();
  const { job } = (await acme.get(`/api/jobs/${jobId}`)).body;
  for (const { thumb } of [job.media[0], job.photos[0]]) expect((await api.get(thumb)).status).toBe(200);
  return jobId;
}

const forget = (id: string) => forgetCustomers(forgetting, acme, [id]);

const everything = () => copyOutWithSamples(api.everyRow);

test('every table of the state and of the read models has its place in the list, and every place its table', async () => {
  const { rows } = await api.everyRow.query<{ name: string }>(
    `select distinct schemaname || '.' || regexp_replace(tablename, '_v[0-9]+$', '') as name from pg_tables
     where schemaname in ('state', 'read')`,
  );
  const names = places.map(({ table }) => table);
  expect(names.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

/** Something else than what an erasure leaves, by the type of a column. */
const leftOver: Readonly<Record<string, string>> = {
  ...{ text: `'left'`, jsonb: `'[1]'`, 'double precision': '1', integer: '1', timestamptz: 'now()' },
};

test('whatever an erasure left in a column of a job is found', async () => {
  const jobId = (await acme.post('/api/jobs', aNewJob())).body.job.id;
  await api.settle();
  expect(await findUnerased(api.everyRow, [jobId])).toEqual([jobId]);
  await forget(jobId);
  expect(await findUnerased(api.everyRow, [jobId])).toEqual([]);
  const tables = [
    { columns: jobsTable.columns, live: jobTables.jobs, erased: erasedColumns.jobs },
    { columns: detailsTable.columns, live: jobTables.details, erased: erasedColumns.job_details },
  ];
  const db = await api.everyRow.connect();
  try {
    for (const { columns, live, erased } of tables) {
      for (const column of Object.keys(erased)) {
        await db.query('begin');
        const value = leftOver[columns[column]?.type ?? ''];
        await db.query(`update ${live} set ${column} = ${value} where job_id = $1`, [jobId]);
        expect([column, await findUnerased(db, [jobId])]).toEqual([column, [jobId]]);
        await db.query('rollback');
      }
    }
  } finally {
    db.release();
  }
});

describe('a customer who is forgotten', () => {
  test('is in no table, no sample, no file and no answer, and all others are as they were', async () => {
    const bystander = (await acme.post('/api/jobs', aNewJob())).body.job.id;
    const jobId = await aWholeJob();
    const others = async () =>
      (
        await api.everyRow.query(
          `select jobs, details, search from ${jobTables.jobs} as jobs join ${jobTables.details} as details using (job_id)
           join ${jobTables.search} as search using (job_id) where job_id <> $1 order by job_id`,
          [jobId],
        )
      ).rows;
    const before = await others();
    const counts = (await acme.get('/api/jobs/count')).body;
    expect(findMarkers(await everything(), markers).length).toBeGreaterThan(5);
    expect(await sentMail(api, markers['the email'])).not.toEqual([]);
    const { body: shown } = await acme.get(`/api/jobs/${jobId}`);

    await forget(jobId);

    expect(findMarkers(await everything(), markers)).toEqual([]);
    expect((await sentMail(api)).filter(({ text }) => findMarkers({ text }, markers).length > 0)).toEqual([]);
    expect(await sentMail(api, markers['the email'])).toEqual([]);
    for (const path of [
      ...[`/api/jobs/${jobId}`, `/api/jobs/${jobId}/history`, '/api/jobs', '/api/jobs/schedule'],
      `/api/jobs?search=${encodeURIComponent(markers['the title'])}`,
    ]) {
      const { status, body } = await acme.get(path);
      expect(status).toBeLessThan(500);
      expect(findMarkers({ [path]: JSON.stringify(body) }, markers)).toEqual([]);
    }
    for (const { url, thumb } of [shown.job.media[0], shown.job.photos[0]]) {
      const { id } = new URL(url, 'http://x').pathname.match(/(?<id>[^/]+)$/)?.groups ?? {};
      for (const key of [`media/${id}`, `thumbs/${id}`] as const)
        expect(await api.deps.files.get(key)).toBeNull();
      for (const link of [url, thumb]) expect((await api.get(link)).status).toBe(404);
    }
    expect(await acme.get(`/api/jobs/${jobId}`)).toMatchObject({
      status: 200,
      body: {
        job: {
          name: 'Removed customer',
          title: 'Removed job',
          status: 'To quote',
          notes: '',
          media: [],
          photos: [],
        },
      },
    });
    expect(await others()).toEqual(before);
    expect((await acme.get('/api/jobs/count')).body).toEqual(counts);
    expect((await acme.get(`/api/jobs/${bystander}`)).body.job.name).toBe('Moana Rangi');
  });

  test('answers words to what cannot be done any more, and goes on with the rest', async () => {
    const jobId = (await acme.post('/api/jobs', aNewJob({ title: 'Gone soon' }))).body.job.id;
    await forget(jobId);
    expect(await acme.put(`/api/jobs/${jobId}`, { notes: 'Back?' })).toMatchObject({
      status: 409,
      body: { message: "This customer's details were removed" },
    });
    expect((await acme.put(`/api/jobs/${jobId}`, { status: 'Paid' })).body.job).toMatchObject({
      status: 'Paid',
    });
    const scheduledAt = '2027-01-04T22:00:00.000Z';
    expect((await acme.put(`/api/jobs/${jobId}`, { scheduledAt })).body.job).toMatchObject({ scheduledAt });
  });

  test('does not come back by a repeat of the request that made the job', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const job = aNewJob({ title: 'Sent twice' });
    const { body } = await acme.post('/api/jobs', job, headers);
    await forget(body.job.id);
    expect((await acme.post('/api/jobs', job, headers)).status).toBeGreaterThanOrEqual(400);
    expect((await acme.get('/api/jobs?search=Sent%20twice')).body.jobs).toEqual([]);
  });

  test('leaves chains that fit', async () => {
    const log = openEmbeddedLog({ pool: api.everyRow, connectionString: api.databaseUrl });
    try {
      const report = await verifyChain(await log.readAll('0', 10_000));
      expect(report).toMatchObject({ broken: null });
    } finally {
      await log.close();
    }
  });
});

describe('while it can be taken back', () => {
  test('the contact is withheld, and shown again when it is cancelled', async () => {
    const jobId = (await acme.post('/api/jobs', aNewJob({ title: 'In grace' }))).body.job.id;
    const erasureId = crypto.randomUUID();
    const asked = {
      erasureId,
      scope: 'jobs',
      basis: 'tradie',
      businessId: acme.businessId,
      ids: [jobId],
    } as const;
    await requestErasure(forgetting, asked);
    await requestErasure(forgetting, asked);
    await api.settle();
    const { job } = (await acme.get(`/api/jobs/${jobId}`)).body;
    expect(job).toHaveProperty('erasureDueAt');
    expect(job).not.toHaveProperty('email');
    const [card] = (await acme.get('/api/jobs?search=In%20grace')).body.jobs;
    expect(card).not.toHaveProperty('phone');
    expect(
      (await acme.get('/api/jobs?search=moana%40example.com')).body.jobs.map(({ id }: { id: string }) => id),
    ).not.toContain(jobId);
    expect(await carryOutDue(forgetting)).toBe(0);
    await expect(carryOut(forgetting, erasureId)).rejects.toThrow('can still be taken back');

    await cancelErasure(forgetting, erasureId);
    await api.settle();
    expect((await acme.get(`/api/jobs/${jobId}`)).body.job).toMatchObject({ email: 'moana@example.com' });
    ahead += 8 * day;
    try {
      expect(await carryOutDue(forgetting)).toBe(0);
    } finally {
      ahead -= 8 * day;
    }
  });

  test('it is carried out once its time has come, and stays in the list by ids', async () => {
    const jobId = (await acme.post('/api/jobs', aNewJob({ title: 'Due next week' }))).body.job.id;
    const erasureId = crypto.randomUUID();
    const [scope, basis] = ['jobs', 'customer-asked'] as const;
    await requestErasure(forgetting, {
      erasureId,
      scope,
      basis,
      businessId: acme.businessId,
      ids: [jobId],
    });
    ahead += 7 * day;
    try {
      expect(await carryOutDue(forgetting)).toBe(1);
      expect(await carryOutDue(forgetting)).toBe(0);
      expect((await listErasures(api.everyRow)).find((one) => one.erasureId === erasureId)).toMatchObject({
        ...{ status: 'completed', basis, ids: [jobId] },
        counts: { 'state.subject_keys': 1 },
      });
      await expect(cancelErasure(forgetting, erasureId)).rejects.toThrow('cannot be taken back');
    } finally {
      ahead -= 7 * day;
    }
  });
});
