import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { carryOutDue } from '#api/privacy/due-erasures.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { jobDecider } from '#core/job/job.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { checkRecord } from '#core/proof/check.ts';
import { readGiven } from '#core/proof/check-log.ts';
import { type JobRecord, readRecord, recordHash } from '#core/proof/record.ts';
import type { SignedIn } from '#tests/support/app/api.ts';
import { detailsPathIn, type MessageApp, messageApp, sentMail } from '#tests/support/app/messages.ts';
import { secondCheck } from '#tests/support/log/second-check.ts';
import { signForRecords, signLog } from '#tests/support/operations/record-recipes.ts';
import { erasing } from '#tests/support/scenarios/erasing.ts';
import { pdf } from '#tests/support/scenarios/files.ts';
import { aTicket, requestedJob } from '#tests/support/scenarios/job-requests.ts';

let app: MessageApp;
let dave: SignedIn;
let count = 0;
beforeAll(async () => {
  app = await messageApp();
  await startSigning(app);
});
beforeEach(async () => {
  dave = await app.signIn();
  count += 1;
});
afterAll(() => app?.close());

/** A receipt names the log once there is a checkpoint. */
async function startSigning(of: MessageApp): Promise<void> {
  signForRecords(of);
  await of.signIn();
  await signLog(of);
}

/** A request of a customer, its receipt, and the path behind "Your details" in that. */
async function aJob(of: MessageApp = app, owner: SignedIn = dave, request = {}, headers = {}) {
  const email = `record${count}@example.com`;
  const jobId = await requestedJob(of, owner, { email, ...request }, headers);
  await of.settle();
  const [receipt] = await sentMail(of, email);
  const link = detailsPathIn(receipt ?? { text: '' });
  return { jobId, email, receipt: receipt?.text ?? '', link, path: `/api${link}/record` };
}

async function made(path: string, of = app): Promise<{ text: string; record: JobRecord }> {
  const answer = await of.post(path);
  expect(answer).toMatchObject({
    status: 200,
    body: { fileName: expect.stringMatching(/^job-\w+\.ute-record\.json$/) },
  });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const text: string = answer.body.record;
  return { text, record: readRecord(text) as JobRecord };
}

const fieldsIn = ({ events }: JobRecord) => events.flatMap(({ openings }) => Object.keys(openings));
const typesOf = async (jobId: string) =>
  (await app.deps.store.readStream(streamName('job', jobId))).map(({ type }) => type);

/** What a browser without a script posts from the page. */
const press = (link: string, of: MessageApp = app) =>
  of.send('POST', link, {
    body: 'ask=record',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

test('what the customer sent, times, statuses and files are open, and it fits the log of the receipt', async () => {
  const upload = { 'x-bot-check': await aTicket(app, 'public-form', dave.slug) };
  const file = `/api/public-forms/${dave.slug}/media?name=plan.pdf`;
  const { media } = (await app.send('POST', file, { body: pdf, headers: upload })).body;
  const job = await aJob(app, dave, { description: 'Ring 0491 570 156', media: [media.id] }, upload);
  // The business does not see the contact yet: the customer sees their own.
  const { text, record } = await made(job.path);
  expect(record.made).toMatchObject({ by: 'customer', audience: 'customer' });
  expect(fieldsIn(record)).toEqual(
    expect.arrayContaining(['name', 'email', 'phone', 'location', 'title', 'description', 'media/0']),
  );
  expect(text).toContain(job.email);
  expect(record.files).toEqual([
    { id: media.id, name: 'plan.pdf', sha256: createHash('sha256').update(pdf).digest('hex') },
  ]);
  const log = /^Log .+$/m.exec(job.receipt)?.[0] ?? '';
  const { outcome, findings, vouched } = checkRecord(text, readGiven(log));
  expect(findings.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
  expect({ outcome, vouched }).toEqual({ outcome: 'fits-in-part', vouched: 1 });
  expect(secondCheck(Buffer.from(text), { checkpoints: [log] })?.proven).toContain('0/name');

  await dave.put(`/api/jobs/${job.jobId}/accept`);
  await dave.put(`/api/jobs/${job.jobId}`, { status: 'Quoted' });
  const { events } = (await made(job.path)).record;
  const at = events.findIndex(({ type }) => type === 'JobStatusChanged');
  expect(events[at]?.data).toMatchObject({ status: 'Quoted', changedAt: expect.stringMatching(/Z$/) });
});

test('what the business wrote is in no record of its customer', async () => {
  const { jobId, path, link } = await aJob();
  await dave.put(`/api/jobs/${jobId}/accept`);
  await dave.put(`/api/jobs/${jobId}`, { notes: 'Marker of the notes' });
  const until = new Date(app.deps.now().getTime() + 30 * 86_400_000).toISOString().slice(0, 10);
  await dave.put(`/api/jobs/${jobId}/dispute`, { until, reason: 'Marker of the dispute' });
  const ofJob = { jobId, businessId: dave.businessId };
  const cause = { commandId: crypto.randomUUID(), actor: `account:${dave.accountId}`, correlation: 'test' };
  const photo = { photoId: crypto.randomUUID(), stage: 'after', caption: 'Marker of the caption' } as const;
  const at = app.deps.now().toISOString();
  const bytes = { mime: 'image/jpeg', bytes: 3, sha256: 'AAAA' };
  await handleCommand(
    app.deps.store,
    jobDecider,
    streamName('job', jobId),
    { type: 'AddJobPhoto', at, data: { ...ofJob, ...photo, ...bytes } },
    cause,
  );
  const { text, record } = await made(path);
  const page = await press(link);
  for (const one of [text, page.text]) {
    expect(one).not.toContain('Marker');
    expect(one).not.toContain(Buffer.from('Marker').toString('base64').slice(0, 7));
  }
  const withheld = record.events.flatMap((event) =>
    Object.entries(event.withheld).map((pair) => pair.join(' ')),
  );
  expect(withheld).toEqual(['notes not-for-you', 'reason not-for-you', 'caption not-for-you']);
  expect(checkRecord(text).outcome).toBe('fits-itself');
});

test('both histories name the record: that of the job, and the page of the customer', async () => {
  const { jobId, path, link } = await aJob();
  const { record } = await made(path);
  const events = await app.deps.store.readStream(streamName('job', jobId));
  const sha256 = recordHash((bytes) => createHash('sha256').update(bytes).digest(), record);
  expect(events.at(-1)).toMatchObject({
    metadata: { actor: 'customer' },
    event: { type: 'JobRecordIssued', data: { audience: 'customer', by: 'customer', sha256 } },
  });
  const { history } = (await dave.get(`/api/jobs/${jobId}/history`)).body;
  expect(history[0]).toMatchObject({
    ...{ what: 'record', who: { kind: 'customer' } },
    text: expect.stringMatching(/ made a record of the job$/),
  });
  await dave.post(`/api/jobs/${jobId}/record`, { audience: 'owner' });
  expect((await app.get(`/api${link}`)).body.held.records).toMatchObject([
    { by: 'tradie', audience: 'owner' },
    { by: 'customer', audience: 'customer' },
  ]);
  expect((await made(path)).record.events.map(({ type }) => type)).toContain('JobRecordIssued');
});

test('the button of the page answers the file, and GET makes none', async () => {
  const { jobId, link } = await aJob();
  const before = await typesOf(jobId);
  expect((await app.get(`/api${link}/record`)).status).toBe(405);
  expect(await typesOf(jobId)).toEqual(before);
  const { status, text, headers } = await press(link);
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="job-\w+\.ute-record\.json"$/);
  expect(checkRecord(text).outcome).toBe('fits-itself');
  expect((await typesOf(jobId)).at(-1)).toBe('JobRecordIssued');
});

test('ten a day for a job, by whatever way', async () => {
  const limited = await messageApp({ env: { RATE_LIMITS: 'on' } });
  try {
    const owner = await limited.signIn();
    const { jobId, path, link } = await aJob(limited, owner);
    // What was not made does not count.
    expect((await limited.post(path)).status).toBe(503);
    await startSigning(limited);
    for (let n = 0; n < 5; n += 1) await made(path, limited);
    for (let n = 0; n < 5; n += 1) expect((await press(link, limited)).status).toBe(200);
    const refused = await limited.post(path);
    expect(refused).toMatchObject({
      ...{ status: 429, body: { message: 'Too many attempts. Please try again in 24 hours.' } },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60 * 60);
    const events = await limited.deps.store.readStream(streamName('job', jobId));
    expect(events.filter(({ type }) => type === 'JobRecordIssued')).toHaveLength(10);
    // Of another job there are ten more, and the details are shown as before.
    count += 1;
    await made((await aJob(limited, owner)).path, limited);
    expect((await limited.get(`/api${link}`)).body.held.records).toHaveLength(5);
  } finally {
    await limited.close();
  }
}, 60_000);

test('where nothing signs it is to be tried later, and nothing is noted', async () => {
  const alone = await messageApp();
  try {
    const { jobId, path } = await aJob(alone, await alone.signIn());
    const refused = await alone.post(path);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    const events = await alone.deps.store.readStream(streamName('job', jobId));
    expect(events.map(({ type }) => type)).not.toContain('JobRecordIssued');
  } finally {
    await alone.close();
  }
});

test('once the details are removed there is no record, and while they are to be removed there is', async () => {
  const { jobId, path, link } = await aJob();
  await app.post(`/api${link}`, { ask: 'removal' });
  const { text } = await made(path);
  expect(checkRecord(text).outcome).toBe('fits-itself');
  app.pass(8 * 24 * 60);
  await app.settle();
  expect(await carryOutDue(erasing(app).deps)).toBeGreaterThan(0);
  await app.settle();
  expect((await app.post(path)).status).toBe(404);
  const back = await press(link);
  expect([back.status, back.headers.get('location')]).toEqual([303, link]);
  expect((await typesOf(jobId)).filter((type) => type === 'JobRecordIssued')).toHaveLength(1);
});

test('a link of another kind, or that is none, makes no record', async () => {
  const { jobId, email } = await aJob();
  const [receipt] = await sentMail(app, email);
  const notNeeded = /\/not-needed\/(\S+)/.exec(receipt?.text ?? '')?.[1];
  for (const none of [notNeeded, 'x', 'A'.repeat(43)])
    expect((await app.post(`/api/your-details/${none}/record`)).status).toBe(404);
  expect(await typesOf(jobId)).not.toContain('JobRecordIssued');
});
