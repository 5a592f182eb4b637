import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { receiveWorkOrder } from '#api/intake/work-order.ts';
import { archiveOf } from '#api/privacy/export/archive.ts';
import { mintExportToken } from '#api/privacy/export/downloads.ts';
import { keyVariables } from '#api/runtime/config/keys.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { signForRecords, signLog } from '#tests/support/operations/record-recipes.ts';
import { type Ran, runUte } from '#tests/support/processes/processes.ts';
import { bytesOf, png, unzip } from '#tests/support/scenarios/files.ts';
import { aNewJob, aTicket, aWorkOrder, requestedJob } from '#tests/support/scenarios/job-requests.ts';

const folder = tempFolder('import');
const zip = join(folder.path, 'export.zip');
let api: TestApp;
let acme: SignedIn;
let other: SignedIn;
beforeAll(async () => {
  api = await testApp({ processes: true });
  signForRecords(api);
  acme = await api.signIn({ plan: 'plus' });
  other = await api.signIn();
});
afterAll(async () => {
  await api?.close();
  folder.remove();
});

function runImport(file = zip, slug = other.slug, ...words: string[]): Promise<Ran> {
  const keys = Object.entries(keyVariables).map(([purpose, variable]) => {
    return [variable, api.deps.config.keys[purpose as keyof typeof keyVariables].toString('base64')];
  });
  const environment = { DATABASE_URL: api.databaseUrl, DATA_DIR: folder.path };
  return runUte(
    { ...Object.fromEntries(keys), ...environment },
    'import',
    file,
    '--business',
    slug,
    ...words,
  );
}

async function exported(owner: SignedIn): Promise<Uint8Array> {
  await api.settle();
  const { jti } = JSON.parse(Buffer.from(owner.token.split('.')[1] ?? '', 'base64url').toString());
  const token = mintExportToken(api.deps, { id: jti, accountId: owner.accountId });
  const answer = await api.app.handle(new Request(`http://localhost/api/settings/export/${token}`));
  return answer.bytes();
}

/** The jobs of an export without what an installation gives out: ids, references, revisions and the places of files. */
async function jobsIn(archive: Uint8Array): Promise<Record<string, unknown>[]> {
  const lines = String((await unzip(archive)).get('jobs.ndjson'))
    .split('\n')
    .filter(Boolean);
  return lines.map((line) => {
    const { id: _, reference: __, revision: ___, files, ...job } = JSON.parse(line);
    return { ...job, files: files.map(({ mime, work }: Record<string, unknown>) => ({ mime, work })) };
  });
}

async function fillAcme(): Promise<void> {
  const ticket = await aTicket(api, 'public-form', acme.slug);
  const path = `/api/public-forms/${acme.slug}/media?name=plan.pdf`;
  const body = bytesOf('%PDF-1.7\n1 0 obj\n', 'x'.repeat(300), '\n%%EOF\n');
  const { media } = (await api.send('POST', path, { body, headers: { 'x-bot-check': ticket } })).body;
  const request = { title: 'Blocked drain', wishedTime: 'Mornings', reachBy: 'sms' } as const;
  const id = await requestedJob(api, acme, { ...request, media: [media.id] }, { 'x-bot-check': ticket });
  await acme.put(`/api/jobs/${id}/accept`);
  await acme.put(`/api/jobs/${id}`, { notes: 'Dog bites', scheduledAt: '2027-02-02T22:30:00.000Z' });
  await acme.put(`/api/jobs/${id}`, { status: 'Completed' });
  const photoId = crypto.randomUUID().replaceAll('-', '');
  await acme.send('PUT', `/api/jobs/${id}/photos/${photoId}?stage=after`, { body: png(60, 40) });
  await acme.post('/api/jobs', aNewJob({ title: 'Typed in' }));
  const order = aWorkOrder(acme.slug, { scheduledAt: '2027-02-03T22:30:00.000Z' });
  const ordered = await receiveWorkOrder(api.deps, { order, key: 'order-1', correlation: 'a-test' });
  await acme.put(`/api/jobs/${ordered}/accept`);
  await acme.put(`/api/jobs/${ordered}`, { status: 'Unsuccessful' });
  await requestedJob(api, acme, { title: 'Never accepted' });
}

test('an export becomes the same jobs in another business, once, and no message goes out', async () => {
  await fillAcme();
  await signLog(api);
  const archive = await exported(acme);
  const records = [...(await unzip(archive)).keys()].filter((name) => name.startsWith('records/'));
  expect(records).toHaveLength(2);
  writeFileSync(zip, archive);
  const queued = async () =>
    (await api.everyRow.query('select count(*)::int as n from state.outbox')).rows[0].n;
  const before = await queued();

  const first = await runImport();
  expect(first).toEqual({
    ...{ err: '', code: 0 },
    out: '3 jobs added, 0 were there already\n1 left out: removed, or never accepted and so without contact\n',
  });
  const kept = (await jobsIn(archive)).filter(({ title }) => title !== 'Never accepted');
  expect(await jobsIn(await exported(other))).toEqual(kept);
  expect(kept.map(({ status }) => status)).toEqual(['Completed', 'To quote', 'Unsuccessful']);
  // The export of what was imported notified its owner.
  expect(await queued()).toBe(before + 1);

  const position = await api.deps.store.head();
  expect((await runImport()).out).toMatch(/^0 jobs added, 3 were there already\n/);
  expect(await api.deps.store.head()).toBe(position);
}, 60_000);

test('what was changed since stays, whatever the archive says', async () => {
  const [job] = (await other.get('/api/jobs?search=drain')).body.jobs;
  expect((await other.put(`/api/jobs/${job.id}`, { status: 'Paid', notes: 'Paid in cash' })).status).toBe(
    200,
  );
  expect((await runImport()).out).toMatch(/^0 jobs added/);
  const events = await api.deps.store.readStream(streamName('job', job.id));
  expect(events.at(-1)?.metadata.actor).toBe(`account:${other.accountId}`);
}, 60_000);

test('a line that is no job is named, the others are added, and the exit code says so', async () => {
  const rival = await api.signIn();
  const [good = ''] = String((await unzip(await exported(acme))).get('jobs.ndjson')).split('\n');
  const lines = [
    good,
    '{',
    good.replace('"+61491570156"', '"12"'),
    JSON.stringify({ id: 'Marker of a person' }),
  ];
  const more = [
    good.replace('"id":"', '"id":"\\u0000'),
    good.replace(/"createdAt":"\d{4}/, '"createdAt":"1970'),
    `"${'x'.repeat(1024 * 1024)}"`,
  ];
  async function* entries() {
    yield {
      name: 'jobs.ndjson',
      at: new Date(0),
      isText: true,
      content: () => [[...lines, ...more, good].join('\n')],
    };
  }
  const last = () => ({ name: 'manifest.json', at: new Date(0), isText: true, content: () => ['{}'] });
  const file = join(folder.path, 'odd.zip');
  writeFileSync(file, await new Response(archiveOf(entries(), last)).bytes());
  const { out, code } = await runImport(file, rival.slug);
  expect(code).toBe(1);
  expect(out).toMatch(
    /^line 2: it is no JSON\nline 3: phone: Enter an Australian or New Zealand mobile number\nline 4: it is no job of an export: .+\nline 5: This text holds a character that cannot be saved\nline 6: createdAt is no day from 1990 to five years from now\nline 7: it is longer than a megabyte\n1 job added/,
  );
  expect(out).not.toContain('Marker');
  expect(out).toContain('1 job added, 1 was there already');
  expect(out).toContain('3 files left out: not in the archive, or too large');
}, 60_000);

test('what is no export, and a business that is not there, are refused in one line', async () => {
  const noZip = join(folder.path, 'jobs.csv');
  writeFileSync(noZip, 'Name,Email\n');
  expect(await runImport(noZip)).toEqual({
    ...{ out: '', err: `${noZip} is no whole ZIP: a CSV needs --map.\n`, code: 1 },
  });
  const file = join(folder.path, 'none.zip');
  writeFileSync(file, 'PK of nothing');
  const none = await runImport(file);
  expect([none.out, none.code, none.err.trim().split('\n').length]).toEqual(['', 1, 1]);
  expect(await runImport(zip, 'not-there')).toEqual({
    ...{ out: '', code: 1 },
    err: 'There is no business with this address.\n',
  });
}, 60_000);

describe('a CSV of another product', () => {
  const csv = join(folder.path, 'jobs.csv');
  const map = join(folder.path, 'map.json');
  const columns = {
    ...{ name: ['First', 'Last'], email: 'Email', phone: ['Mobile', 'Phone'], address: ['Street', 'Suburb'] },
    ...{
      title: 'What',
      notes: ['Details', 'Notes'],
      createdAt: 'Made',
      scheduledAt: 'When',
      status: 'State',
    },
  };
  const good = {
    ...{ key: 'No.', columns, dates: 'day-month-year' },
    statuses: { Booked: 'To quote', Done: 'Completed' },
  };
  const heading = 'No.,First,Last,Email,Mobile,Phone,Street,Suburb,What,Details,Notes,Made,When,State';
  const rows = [
    'A-1,Mere,Tāwhiri,mere@example.com,,0491 570 156,"7 Mill St, rear",Fitzroy,"A ""big"" leak",Upstairs,"Dog\r\nbites",3/2/2026,14/02/2026 2:30 pm,Done',
    'A-2,Sam,Lee,sam@example.com,0491570157,,1 High St,Kew,,,,2026-02-03T04:05:06Z,,',
    'A-3,Sam,Lee,not an email,12,,1 High St,Kew,,,,31/02/2026,,Lost',
    'A-1,Twice,Over,twice@example.com,0491570158,,1 High St,Kew,,,,,,Booked',
  ];
  const write = (text: string | Uint8Array, mapping: object = good) => {
    writeFileSync(csv, text);
    writeFileSync(map, JSON.stringify(mapping));
  };
  const importCsv = (slug: string, ...words: string[]) => runImport(csv, slug, '--map', map, ...words);

  test('becomes jobs by its map, each once; what does not fit is named line by line, by a dry run too', async () => {
    const owner = await api.signIn();
    write(`\ufeff${[heading, ...rows].join('\r\n')}\r\n`);
    const wrong = [
      expect.stringMatching(
        /^line 5: Email: Enter a valid email.*; Mobile, Phone: Enter an Australian.*; Made: is no day that fits day-month-year; State: is not among/,
      ),
      'line 6: No.: is the same as on line 2',
    ];
    const dry = await importCsv(owner.slug, '--dry-run');
    expect([dry.err, dry.code]).toEqual(['', 1]);
    const said = dry.out.trim().split('\n');
    expect(said).toEqual([
      ...wrong,
      '2 of 4 lines fit; nothing was added',
      expect.stringMatching(/^2 could not/),
    ]);
    await api.settle();
    expect((await owner.get('/api/jobs')).body.jobs).toEqual([]);

    const queued = async () =>
      (await api.everyRow.query('select count(*)::int as n from state.outbox')).rows[0].n;
    const before = await queued();
    const first = await importCsv(owner.slug);
    expect(first.out.trim().split('\n')).toEqual([
      ...wrong,
      '2 jobs added, 0 were there already',
      expect.stringMatching(/^2 could not/),
    ]);
    await api.settle();
    const { jobs } = (await owner.get('/api/jobs')).body;
    expect(jobs.map(({ title }: { title: string }) => title).sort()).toEqual([
      'A "big" leak',
      'Job for Sam Lee',
    ]);
    const { id } = jobs.find(({ title }: { title: string }) => title.startsWith('A "big"'));
    expect((await owner.get(`/api/jobs/${id}`)).body.job).toMatchObject({
      ...{ name: 'Mere Tāwhiri', email: 'mere@example.com', phone: '+61491570156', status: 'Completed' },
      location: { address: '7 Mill St, rear, Fitzroy' },
      notes: 'Upstairs\n\nDog\nbites',
      // On the clocks of the business, in summer.
      ...{ createdAt: '2026-02-02T13:00:00.000Z', scheduledAt: '2026-02-14T03:30:00.000Z' },
    });
    const position = await api.deps.store.head();
    expect((await importCsv(owner.slug)).out).toContain('0 jobs added, 2 were there already');
    expect(await api.deps.store.head()).toBe(position);
    expect(await queued()).toBe(before);
  }, 60_000);

  test('a row with a mobile alone is added where the map says so, and comes back by an export', async () => {
    const owner = await api.signIn();
    write([heading, rows[1]?.replace('sam@example.com', '')].join('\r'), { ...good, withoutEmail: true });
    expect((await importCsv(owner.slug)).out).toMatch(/^1 job added/);
    const heir = await api.signIn();
    writeFileSync(zip, await exported(owner));
    expect((await runImport(zip, heir.slug)).out).toMatch(/^1 job added/);
    await api.settle();
    const [job] = (await heir.get('/api/jobs')).body.jobs;
    expect(job).toMatchObject({ name: 'Sam Lee', email: '', phone: '+61491570157' });
    const { body } = await heir.get(`/api/jobs/hints?address=${encodeURIComponent('9 Else St')}`);
    expect(body.hints.repeats).toEqual([]);
  }, 60_000);

  test('a map that does not fit the file is refused in one line', async () => {
    write(heading.replace('Email', 'E-mail'));
    const { out, err, code } = await importCsv(acme.slug);
    expect([out, code]).toEqual(['', 1]);
    expect(err).toMatch(/^The file has no column "Email" in its first line\.\n$/);
  }, 60_000);
});
