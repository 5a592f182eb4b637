import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { receiveWorkOrder } from '#api/intake/work-order.ts';
import { archiveOf } from '#api/privacy/export/archive.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { signForRecords, signLog } from '#tests/support/operations/record-recipes.ts';
import { exportOf, importFiles, runImportOf } from '#tests/support/processes/imports.ts';
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

const runImport = (file = zip, slug = other.slug, ...words: string[]) =>
  runImportOf(api, folder.path, file, slug, ...words);
const exported = (owner: SignedIn) => exportOf(api, owner);

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

test('notes with a line separator of a word processor come in as they are', async () => {
  const owner = await api.signIn();
  const [job = ''] = String((await unzip(await exported(acme))).get('jobs.ndjson')).split('\n');
  const pasted = 'Bring ladder\u2028Gate code 1234\u2029and\u0085on';
  const lines = [pasted, 'Bring ladder\nGate code 1234'].map((notes, at) =>
    JSON.stringify({ ...JSON.parse(job), id: `u2028-${at}`, title: `Notes ${at}`, files: [], notes }),
  );
  // Both stand in their line as they are, as other programs write them.
  expect(lines[0]).toContain('\u2028');
  const files = { 'jobs.ndjson': `${lines.join('\n')}\n` };
  async function* entries() {
    for (const [name, text] of Object.entries(files))
      yield { name, at: new Date(0), isText: true, content: () => [text] };
  }
  const last = () => ({ name: 'manifest.json', at: new Date(0), isText: true, content: () => ['{}'] });
  const file = join(folder.path, 'u2028.zip');
  writeFileSync(file, await new Response(archiveOf(entries(), last)).bytes());
  const { out, code } = await runImport(file, owner.slug);
  expect([out.split('\n')[0], code]).toEqual([expect.stringMatching(/^2 jobs added/), 0]);
  await api.settle();
  const { jobs } = (await owner.get('/api/jobs')).body;
  const notes = await Promise.all(
    jobs.map(async ({ id }: { id: string }) => (await owner.get(`/api/jobs/${id}`)).body.job.notes),
  );
  expect(notes.toSorted()).toEqual(['Bring ladder\nGate code 1234', pasted].toSorted());
}, 60_000);

test('an archive that another program wrote, of jobs alone, comes in with its notes unchanged', async () => {
  const owner = await api.signIn();
  const file = join(importFiles, 'line-separator-in-notes.zip');
  expect(await runImport(file, owner.slug)).toEqual({
    ...{ err: '', code: 0 },
    out: '2 jobs added, 0 were there already\n0 left out: removed, or never accepted and so without contact\n',
  });
  const jobs = await jobsIn(await exported(owner));
  const given = String((await unzip(readFileSync(file))).get('jobs.ndjson'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(jobs.map(({ title, notes }) => [title, notes]).toSorted()).toEqual(
    given.map(({ title, notes }) => [title, notes]).toSorted(),
  );
  expect(jobs.some(({ notes }) => notes === 'Bring ladder\u2028Gate code 1234')).toBe(true);
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
