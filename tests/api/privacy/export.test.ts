import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { streamName } from '#core/kernel/stream-name.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { sentMail } from '#tests/support/app/messages.ts';
import { bytesOf, png, unzip } from '#tests/support/scenarios/files.ts';
import { aNewJob, aTicket, requestedJob } from '#tests/support/scenarios/job-requests.ts';

let ahead = 0;
let api: TestApp;
let acme: SignedIn;
let rival: SignedIn;
beforeAll(async () => {
  api = await testApp({ now: () => new Date(Date.now() + ahead), env: { RATE_LIMITS: 'on' } });
  acme = await api.signIn({ plan: 'plus' });
  rival = await api.signIn();
});
afterAll(() => api?.close());

/** 09:30 in Melbourne. */
const SCHEDULED = '2027-02-02T22:30:00.000Z';

const ask = (owner: SignedIn, currentPassword = owner.password) =>
  owner.post('/api/settings/export', { currentPassword });

async function linkOf(owner: SignedIn): Promise<string> {
  const { status, body } = await ask(owner);
  expect(status).toBe(200);
  return body.url;
}

/** Opens a link as a browser does: without the session's header. */
const open = (url: string) => api.app.handle(new Request(`http://localhost${url}`));

async function download(owner: SignedIn): Promise<Map<string, Buffer>> {
  const answer = await open(await linkOf(owner));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  return unzip(await answer.bytes());
}

const lines = (entry: Buffer | undefined) =>
  String(entry)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

test('everything of the business is in one file, withheld contact left out, and nothing of another business', async () => {
  const ticket = await aTicket(api, 'public-form', acme.slug);
  const file = bytesOf('%PDF-1.7\n1 0 obj\n', 'x'.repeat(300), '\n%%EOF\n');
  const path = `/api/public-forms/${acme.slug}/media?name=${encodeURIComponent('../plan of tap.pdf')}`;
  const { media } = (await api.send('POST', path, { body: file, headers: { 'x-bot-check': ticket } })).body;
  const accepted = await requestedJob(
    api,
    acme,
    { title: '=HYPERLINK("x")', wishedTime: 'Mornings', reachBy: 'sms', media: [media.id] },
    { 'x-bot-check': ticket },
  );
  await acme.put(`/api/jobs/${accepted}/accept`);
  const photoId = crypto.randomUUID().replaceAll('-', '');
  const photo = await acme.send('PUT', `/api/jobs/${accepted}/photos/${photoId}?stage=after`, {
    body: png(60, 40),
  });
  expect(photo.status).toBe(200);
  const { status, body } = await acme.post('/api/jobs', {
    ...aNewJob({ title: 'Añadir 水' }),
    scheduledAt: SCHEDULED,
  });
  expect([status, body.message]).toEqual([200, undefined]);
  const waiting = await requestedJob(api, acme, {
    ...{
      title: 'Blocked drain',
      name: 'Wilma Withheld',
      email: 'wilma@withheld.example',
      phone: '0491 570 158',
    },
    description: 'Ring me on 0491 570 158',
  });
  await requestedJob(api, rival, {
    title: 'Marker of the rival',
    name: 'Riva L',
    email: 'riva@rival.example',
  });
  await api.settle();

  const entries = await download(acme);
  const names = [...entries.keys()];
  expect(names.filter((name) => !name.startsWith('files/'))).toEqual([
    ...['business.json', 'jobs.csv', 'jobs.ndjson', 'events.ndjson', 'schema/jobs.json'],
    ...['schema/job-events.json', 'schema/business-events.json', 'schema/account-events.json'],
    ...['schema/enquiryForm-events.json', 'schedule.ics', 'README.html', 'manifest.json'],
  ]);
  const files = names.filter((name) => name.startsWith('files/'));
  expect(files.map((name) => name.replace(/^files\/[0-9A-Z]{6}-[0-9a-f]{8}\//, ''))).toEqual([
    '1 plan of tap.pdf',
    '2 after.png',
  ]);
  expect(entries.get(files[0] ?? '')?.equals(file)).toBe(true);

  const jobs = lines(entries.get('jobs.ndjson'));
  expect(jobs.map(({ title }) => title)).toEqual(['=HYPERLINK("x")', 'Añadir 水', 'Blocked drain']);
  expect(jobs[0]).toMatchObject({
    ...{ id: accepted, status: 'To quote', email: 'aroha.t@example.com', phone: '+61491570156' },
    files: [{ file: files[0] }, { file: files[1], work: { stage: 'after' } }],
  });
  const csv = String(entries.get('jobs.csv'));
  expect(csv).toMatch(/^\ufeff"Reference","Status","Title"/);
  expect(csv).toContain(`"'=HYPERLINK(""x"")","Aroha Tāwhiri","0491 570 156","aroha.t@example.com"`);
  expect(csv.split('\r\n')[0]).toContain('"Preferred time","Best reached by","Answers"');
  expect(csv).toContain('"Mornings","SMS",');
  expect(csv).toContain('"2027-02-03 09:30"');
  expect(String(entries.get('schedule.ics')).match(/^BEGIN:VEVENT/gm)).toHaveLength(1);

  for (const [name, content] of entries) {
    const text = String(content);
    expect(text, name).not.toMatch(/withheld\.example|0491 ?570 ?158|61491570158/);
    expect(text, name).not.toMatch(/Marker of the rival|Riva L|rival\.example/);
  }
  const events = lines(entries.get('events.ndjson'));
  const requested = events.find(({ stream, type }) => stream === `job-${waiting}` && type === 'JobRequested');
  expect(requested.withheld).toEqual(['email', 'phone', 'description']);
  expect(requested.data).toMatchObject({ name: 'Wilma Withheld', title: 'Blocked drain' });

  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const ofJobs = JSON.parse(String(entries.get('schema/jobs.json')));
  for (const job of jobs) expect([ajv.validate(ofJobs, job), ajv.errorsText()]).toEqual([true, 'No errors']);
  expect(ajv.validate(ofJobs, { ...jobs[0], status: 'Lost' })).toBe(false);
  expect(ajv.validate(ofJobs, { ...jobs[0], more: 1 })).toBe(false);
  for (const { stream, type, data } of events) {
    const schemas = JSON.parse(String(entries.get(`schema/${stream.split('-')[0]}-events.json`)));
    expect([type, ajv.validate(schemas[type], data), ajv.errorsText()]).toEqual([type, true, 'No errors']);
  }
  expect(new Set(events.map(({ stream }) => stream.split('-')[0]))).toEqual(
    new Set(['job', 'business', 'account', 'enquiryForm']),
  );

  const manifest = JSON.parse(String(entries.get('manifest.json')));
  expect(manifest.counts).toEqual({
    ...{ jobs: 3, withheld: 1, events: events.length, scheduled: 1, files: 2, missingFiles: 0 },
    ...{ records: 0, missingRecords: 0 },
  });
  expect(manifest.entries.map(({ name }: { name: string }) => name)).toEqual(names.slice(0, -1));
  expect(String(entries.get('README.html'))).toContain('3 jobs');
  expect(String(entries.get('README.html'))).toContain(
    'Signed records of jobs with work ahead: the page of a job makes one',
  );

  const stored = await api.deps.store.readStream(streamName('business', acme.businessId));
  expect(stored.at(-1)?.event).toMatchObject({
    type: 'BusinessExported',
    data: { accountId: acme.accountId },
  });
  const mails = await sentMail(api, acme.email);
  expect(mails.filter(({ subject }) => subject === 'Your Ute data was downloaded')).toHaveLength(1);
});

test('who was removed is in no line of it', async () => {
  const owner = await api.signIn();
  const id = await requestedJob(api, owner, { name: 'Gone Person', email: 'gone@person.example' });
  await owner.put(`/api/jobs/${id}/accept`);
  await owner.post(`/api/jobs/${id}/erasure`, { others: [] });
  await api.settle();
  const entries = await download(owner);
  for (const [name, content] of entries) expect(String(content), name).not.toContain('gone@person.example');
  expect(lines(entries.get('jobs.ndjson'))[0]).toMatchObject({ id, status: 'To quote' });
});

test('what is stored about the account is in a file of its own, and nothing of jobs and customers', async () => {
  const owner = await api.signIn();
  await requestedJob(api, owner, { name: 'Carla Customer', email: 'carla@customer.example' });
  await api.settle();
  const asked = await owner.post('/api/settings/export', {
    currentPassword: owner.password,
    what: 'account',
  });
  expect(asked.status).toBe(200);
  const answer = await open(asked.body.url);
  expect(answer.headers.get('content-disposition')).toMatch(/filename="ute-account-\d{4}-\d\d-\d\d\.zip"/);
  const entries = await unzip(await answer.bytes());
  expect([...entries.keys()]).toEqual([
    ...['account.json', 'events.ndjson', 'schema/account-events.json', 'README.html', 'manifest.json'],
  ]);
  const { account, sessions } = JSON.parse(String(entries.get('account.json')));
  expect([account.email, sessions.length]).toEqual([owner.email, 1]);
  const events = lines(entries.get('events.ndjson'));
  expect(events.map(({ type }) => type)).toContain('AccountOpened');
  const { jti } = JSON.parse(Buffer.from(owner.token.split('.')[1] ?? '', 'base64url').toString());
  for (const [name, content] of entries)
    expect(String(content), name).not.toMatch(/Carla|customer\.example|\$argon2/);
  expect(String(entries.get('account.json'))).not.toContain(jti);
  expect((await open(asked.body.url)).status).toBe(404);
  const stored = await api.deps.store.readStream(streamName('business', owner.businessId));
  expect(stored.some(({ type }) => type === 'BusinessExported')).toBe(false);
  const [mail] = (await sentMail(api, owner.email)).filter(({ subject }) =>
    subject.includes('was downloaded'),
  );
  expect(mail?.text).toContain('what is stored about you');
});

describe('the link', () => {
  test('needs the password', async () => {
    const { status, body } = await ask(rival, 'not my password');
    expect([status, body.fields]).toEqual([422, { currentPassword: 'This is not your current password' }]);
  });

  test('opens once, within a minute, as long as its session lives, and no other', async () => {
    const owner = await api.signIn();
    const once = await linkOf(owner);
    // Link checkers and download managers look first: that is no download, and on no record.
    expect((await owner.send('HEAD', once)).status).toBe(200);
    expect((await owner.get(once, { range: 'bytes=0-0' })).status).toBe(404);
    expect((await open(once)).status).toBe(200);
    expect((await owner.send('HEAD', once)).status).toBe(404);
    expect((await open(once)).status).toBe(404);
    const late = await linkOf(owner);
    ahead += 60_000;
    expect((await open(late)).status).toBe(404);
    const [claims, signature] = (await linkOf(owner)).split('.');
    const [rivals] = (await linkOf(rival)).replace('/api/settings/export/', '').split('.');
    for (const other of [
      `/api/settings/export/${rivals}.${signature}`,
      `${claims}.`,
      `${claims}.${signature}x`,
      `${claims}`,
      '/api/settings/export/x.y',
    ]) {
      expect((await open(other)).status).toBe(404);
    }
    expect((await open(`${claims}.${signature}`)).status).toBe(200);
    const events = await api.deps.store.readStream(streamName('business', owner.businessId));
    expect(events.filter(({ type }) => type === 'BusinessExported')).toHaveLength(2);
  });

  test('is dead once its session has ended', async () => {
    const owner = await api.signIn();
    const link = await linkOf(owner);
    expect((await owner.post('/api/authenticate/logout')).status).toBe(200);
    expect((await open(link)).status).toBe(404);
  });

  test('is made three times a day', async () => {
    const owner = await api.signIn();
    for (let n = 0; n < 3; n += 1) await linkOf(owner);
    const { status, body } = await ask(owner);
    expect([status, body.message]).toEqual([429, 'Everything can be downloaded three times a day']);
  });
});
