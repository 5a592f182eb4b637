import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut, NotErasedYetError } from '#api/privacy/carry-out.ts';
import { carryOutDue } from '#api/privacy/due-erasures.ts';
import { listErasures } from '#api/privacy/erasures.ts';
import { places } from '#api/privacy/places.ts';
import { applyLedger } from '#api/privacy/remains.ts';
import { cancelErasure, requestErasure } from '#api/privacy/request-erasure.ts';
import { verifyChain } from '#core/event-store/chain.ts';
import { openEmbeddedLog } from '#core/event-store/embedded/event-store.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { deliver, sentMail } from '#tests/support/app/messages.ts';
import { erasing } from '#tests/support/scenarios/erasing.ts';
import { png } from '#tests/support/scenarios/files.ts';
import { copyOutWithSamples, findMarkers, type Markers } from '#tests/support/scenarios/hostile-texts.ts';
import { aNewJob, aTicket, requestedJob } from '#tests/support/scenarios/job-requests.ts';

describe('erasure', () => {
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

  async function forget(...ids: string[]) {
    const erasureId = crypto.randomUUID();
    await requestErasure(forgetting, {
      ...{ erasureId, scope: 'jobs', basis: 'operator', businessId: acme.businessId, ids, isNow: true },
    });
    await carryOut(forgetting, erasureId);
    return erasureId;
  }

  const everything = () => copyOutWithSamples(api.everyRow);

  test('every table of the state and of the read models has its place in the list, and every place its table', async () => {
    const { rows } = await api.everyRow.query<{ name: string }>(
      `select distinct schemaname || '.' || regexp_replace(tablename, '_v[0-9]+$', '') as name from pg_tables
     where schemaname in ('state', 'read')`,
    );
    const names = places.map(({ table }) => table);
    expect(names.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
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
      expect((await sentMail(api)).filter(({ text }) => findMarkers({ text }, markers).length > 0)).toEqual(
        [],
      );
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
        (await acme.get('/api/jobs?search=moana%40example.com')).body.jobs.map(
          ({ id }: { id: string }) => id,
        ),
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
});

describe('erasure ledger', () => {
  let api: TestApp;
  let acme: SignedIn;
  let forgetting: ReturnType<typeof erasing>['deps'];

  beforeAll(async () => {
    api = await testApp({ processes: true });
    acme = await api.signIn();
    forgetting = erasing(api).deps;
  });
  afterAll(() => api?.close());

  const name = 'Wilhelmina Qurazy';

  async function forget(...ids: string[]) {
    const erasureId = crypto.randomUUID();
    await requestErasure(forgetting, {
      ...{ erasureId, scope: 'jobs', basis: 'operator', businessId: acme.businessId, ids, isNow: true },
    });
    await carryOut(forgetting, erasureId);
  }

  test('a customer whom a restore brought back is erased again at the next start, from the ledger alone', async () => {
    const jobId = await requestedJob(api, acme, { name });
    const copied = await api.everyRow.query('select * from state.subject_keys where subject = $1', [
      `customer-${jobId}`,
    ]);
    const rows = await api.everyRow.query(`select * from ${jobTables.jobs} where job_id = $1`, [jobId]);
    await forget(jobId);
    const { wrapped_key } = copied.rows[0];
    await api.everyRow.query(
      'update state.subject_keys set wrapped_key = $2, destroyed_at = null where subject = $1',
      [...[`customer-${jobId}`, wrapped_key]],
    );
    await api.everyRow.query(
      `insert into state.answer_links (token_hash, kind, job_id, business_id, expires_at)
     values ($1, 'not-needed', $2, $3, now() + interval '1 day')`,
      [Buffer.alloc(32, 1), jobId, acme.businessId],
    );
    expect(rows.rows[0].name).toBe(name);

    expect(await applyLedger(forgetting)).toBe(1);
    const { rows: keys } = await api.everyRow.query(
      'select wrapped_key from state.subject_keys where subject = $1',
      [`customer-${jobId}`],
    );
    expect(keys).toEqual([{ wrapped_key: null }]);
    expect(
      (await api.everyRow.query('select 1 from state.answer_links where job_id = $1', [jobId])).rows,
    ).toEqual([]);
    expect(await applyLedger(forgetting)).toBe(0);
  });

  test('a subject whom the restored log does not know yet keeps a key that opens nothing', async () => {
    const later = crypto.randomUUID();
    await forgetting.ledger.append([
      { at: new Date().toISOString(), erasureId: 'e9', subject: `customer-${later}` },
    ]);
    expect(await applyLedger(forgetting)).toBe(1);
    expect((await api.deps.subjectKeys.ensure([`customer-${later}`])).get(`customer-${later}`)).toBe(
      'destroyed',
    );
  });

  test('rows of an earlier release, which follows the log no more, go too', async () => {
    const jobId = (await acme.post('/api/jobs', aNewJob({ title: 'Of old' }))).body.job.id;
    await api.everyRow.query(`create table read.jobs_v6 (job_id text, business_id text, name text)`);
    await api.everyRow.query(`insert into read.jobs_v6 values ($1, 'b', $2), ('other', 'b', 'Other')`, [
      ...[jobId, name],
    ]);
    await forget(jobId);
    expect((await api.everyRow.query('select job_id from read.jobs_v6')).rows).toEqual([{ job_id: 'other' }]);
    await api.everyRow.query('drop table read.jobs_v6');
  });

  test('while the read models are behind it is not completed, and is tried again', async () => {
    const jobId = (await acme.post('/api/jobs', aNewJob({ title: 'Patience' }))).body.job.id;
    const erasureId = crypto.randomUUID();
    await requestErasure(forgetting, {
      ...{
        erasureId,
        scope: 'jobs',
        basis: 'operator',
        businessId: acme.businessId,
        ids: [jobId],
        isNow: true,
      },
    });
    const behind = { ...forgetting, awaitReadModels: async () => false };
    await expect(carryOut(behind, erasureId)).rejects.toThrow(NotErasedYetError);
    expect((await listErasures(api.everyRow)).find((one) => one.erasureId === erasureId)?.status).toBe(
      'begun',
    );
    expect(await carryOutDue(forgetting)).toBe(1);
  });

  test('a prospect is forgotten with the messages about the demo', async () => {
    const demoId = crypto.randomUUID();
    await api.deps.subjectKeys.ensure([`demo-${demoId}`]);
    const erasureId = crypto.randomUUID();
    await requestErasure(forgetting, {
      ...{ erasureId, scope: 'demo', basis: 'operator', businessId: null, ids: [demoId], isNow: true },
    });
    await carryOut(forgetting, erasureId);
    expect((await api.deps.subjectKeys.find([`demo-${demoId}`])).get(`demo-${demoId}`)).toBe('destroyed');
  });
});

describe('removal', () => {
  const now = new Date('2026-11-23T05:00:00.000Z');
  const inSevenDays = '2026-11-30T05:00:00.000Z';

  let api: TestApp;
  let acme: SignedIn;
  beforeAll(async () => {
    api = await testApp({ now: () => now });
    acme = await api.signIn();
  });
  afterAll(() => api?.close());

  let count = 0;
  /** An accepted job of a customer with this email. */
  async function aJob(email: string, owner = acme): Promise<string> {
    count += 1;
    const id = await requestedJob(api, owner, {
      email,
      phone: `04915701${String(56 + (count % 4))}`,
      title: `Job ${count}`,
    });
    await owner.put(`/api/jobs/${id}/accept`);
    await api.settle();
    return id;
  }

  const removal = (id: string) => `/api/jobs/${id}/erasure`;
  const view = async (id: string) => (await acme.get(`/api/jobs/${id}`)).body.job;
  const typesOf = async (id: string) =>
    (await api.deps.store.readStream(streamName('job', id))).map(({ type }) => type);

  test('the tradie removes a customer with another job of theirs in seven days, and may take it back', async () => {
    const [id, other, stranger] = [
      await aJob('wilma@example.com'),
      await aJob('Wilma@example.com'),
      await aJob('moana@example.com'),
    ];
    expect((await acme.get(removal(id))).body.others).toMatchObject([{ id: other, status: 'To quote' }]);
    const { status, body } = await acme.post(removal(id), { others: [other] });
    expect([status, body.job.erasureDueAt, body.job.phone]).toEqual([200, inSevenDays, undefined]);
    await api.settle();
    for (const one of [id, other]) {
      const job = await view(one);
      expect(job).toMatchObject({ erasureDueAt: inSevenDays });
      expect([job.email, job.phone]).toEqual([undefined, undefined]);
    }
    expect(await view(stranger)).not.toHaveProperty('erasureDueAt');
    const { history } = (await acme.get(`/api/jobs/${id}/history`)).body;
    expect(history[0]).toMatchObject({ what: 'erasure-planned', who: { kind: 'you' } });

    expect((await acme.delete(removal(other))).body.job).not.toHaveProperty('erasureDueAt');
    await api.settle();
    for (const one of [id, other]) expect((await view(one)).email).toMatch(/wilma@example.com/i);
    // What was taken back can be asked for again.
    expect((await acme.post(removal(id), {})).body.job.erasureDueAt).toBe(inSevenDays);
  });

  test('asked for twice at once it is one removal', async () => {
    const id = await aJob('priya@example.com');
    const answers = await Promise.all([1, 2, 3].map(() => acme.post(removal(id), { others: [] })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await acme.post(removal(id), { others: [] })).status).toBe(200);
    expect((await typesOf(id)).filter((type) => type === 'CustomerErasurePlanned')).toHaveLength(1);
    expect((await acme.delete(removal(id))).status).toBe(200);
    expect((await acme.delete(removal(id))).status).toBe(200);
    expect((await typesOf(id)).filter((type) => type === 'CustomerErasureCancelled')).toHaveLength(1);
  });

  test('a job of another customer, or of another business, does not come along', async () => {
    const rival = await api.signIn();
    const id = await aJob('sione@example.com');
    const foreign = await aJob('sione@example.com', rival);
    const others = [await aJob('someone.else@example.com'), foreign];
    expect((await acme.get(removal(id))).body.others).toEqual([]);
    for (const other of others) expect((await acme.post(removal(id), { others: [other] })).status).toBe(404);
    expect((await rival.post(removal(id), { others: [] })).status).toBe(404);
    expect(await typesOf(id)).not.toContain('CustomerErasurePlanned');
  });

  test('of more than ten jobs at once it takes the password', async () => {
    const id = await aJob('many@example.com');
    const others: string[] = [];
    while (others.length < 10) others.push(await aJob('many@example.com'));
    const shown: { id: string }[] = (await acme.get(removal(id))).body.others;
    expect(shown.map((other) => other.id)).toEqual(expect.arrayContaining(others));
    const without = await acme.post(removal(id), { others });
    expect([without.status, without.body.fields]).toEqual([
      422,
      { currentPassword: 'Type in your password to remove more than ten jobs at once' },
    ]);
    const wrong = await acme.post(removal(id), { others, currentPassword: 'not mine' });
    expect(wrong.body.fields).toEqual({ currentPassword: 'This is not your current password' });
    expect(await typesOf(id)).not.toContain('CustomerErasurePlanned');
    // Ten of them go without it.
    const [one = '', ...nine] = others;
    expect((await acme.post(removal(one), { others: nine })).status).toBe(200);
    await acme.delete(removal(one));
    await api.settle();
    expect((await acme.post(removal(id), { others, currentPassword: acme.password })).status).toBe(200);
    for (const other of others) expect(await typesOf(other)).toContain('CustomerErasurePlanned');
  });
});
