import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { signForRecords } from '#tests/support/operations/record-recipes.ts';
import { exportOf, importFiles, runImportOf } from '#tests/support/processes/imports.ts';
import { unzip } from '#tests/support/scenarios/files.ts';

const folder = tempFolder('import-csv');
const zip = join(folder.path, 'export.zip');
let api: TestApp;
beforeAll(async () => {
  api = await testApp({ processes: true });
  signForRecords(api);
});
afterAll(async () => {
  await api?.close();
  folder.remove();
});

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
const importCsv = (slug: string, ...words: string[]) =>
  runImportOf(api, folder.path, csv, slug, '--map', map, ...words);

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
  writeFileSync(zip, await exportOf(api, owner));
  expect((await runImportOf(api, folder.path, zip, heir.slug)).out).toMatch(/^1 job added/);
  await api.settle();
  const [job] = (await heir.get('/api/jobs')).body.jobs;
  expect(job).toMatchObject({ name: 'Sam Lee', email: '', phone: '+61491570157' });
  const { body } = await heir.get(`/api/jobs/hints?address=${encodeURIComponent('9 Else St')}`);
  expect(body.hints.repeats).toEqual([]);
}, 60_000);

test('every way to write a day of another product is read, and an hour is told only where there is one', async () => {
  const owner = await api.signIn();
  const days = [
    ...['31/01/2025', '31/1/2025', '31/01/25', '31-Jan-2025', '31 Jan 2025', '31 January 2025'],
    ...['Fri 31 Jan 2025', '"Friday, 31 January 2025"', '31.01.2025', '31-01-2025', '45688', '2025-01-31'],
  ];
  const hours = [
    ...['31/01/2025 9:00 AM', '31/01/2025 9:00am', '31/01/2025 9:00\u202fam', '"31/01/2025, 9:00 a.m."'],
    ...['31/01/2025 09:00:00', '31/01/2025 9am', '45688.375', '31/01/2025 09:00 +1100'],
  ];
  const line = (when: string, at: number) => `D${at},Ann Smith,ann@example.com,0491570156,1 High St,${when}`;
  const text = [
    'No,Name,Email,Phone,Address,When',
    ...[...days, ...hours, '31/01/2025 24:00'].map(line),
  ].join('\n');
  write(text, {
    key: 'No',
    columns: { name: 'Name', email: 'Email', phone: 'Phone', address: 'Address', scheduledAt: 'When' },
    dates: 'day-month-year',
  });
  const { out } = await importCsv(owner.slug);
  expect(out).toMatch(new RegExp(`^line ${days.length + hours.length + 2}: When: .*\n20 jobs added`));
  const table = (await unzip(await exportOf(api, owner))).get('jobs.csv');
  const [, ...rows] = String(table).trim().split('\r\n');
  const told = rows.map((row) => row.match(/2025-01-31(?: \d\d:\d\d)?/)?.[0]);
  expect(told.filter((one) => one === '2025-01-31')).toHaveLength(days.length);
  expect(told.filter((one) => one === '2025-01-31 09:00')).toHaveLength(hours.length);
}, 60_000);

test('a row with a cell too many is named, and phones are read from the first column that holds a mobile', async () => {
  const owner = await api.signIn();
  const columns = { name: 'Name', email: 'Email', phone: 'Phone', address: 'Address' };
  const rowsOf = (...lines: string[]) => lines.join('\n');
  write(
    rowsOf(
      'No,Name,Email,Phone,Address',
      'S1,Ann Smith,ann@example.com,0491570156,12 Smith St, Fitzroy VIC 3065',
      'S2,Bob,bob@example.com,0491570156,1 High St',
    ),
    { key: 'No', columns },
  );
  const shifted = await importCsv(owner.slug);
  expect(shifted.out).toMatch(/^line 2: .*\n1 job added/);
  expect(shifted.out).not.toContain('Fitzroy');
  write(
    rowsOf(
      'No,Name,Email,Phone,Mobile,Address',
      'P1,Ann Smith,ann1@example.com,0491 570 156,03 5550 1234,1 High St',
      'P2,Syd Ney,syd2@example.com,,(02) 5550 1234,2 High St',
      'P3,No Mail,,0491 570 157,,3 High St',
      'P4,Two Mails,a@example.com; b@example.com,0491 570 157,,4 High St',
    ),
    { key: 'No', columns: { ...columns, phone: ['Mobile', 'Phone'] }, withoutEmail: true },
  );
  const phones = await importCsv(owner.slug);
  expect(phones.out).toMatch(/^line 3: Mobile, Phone: Enter an Australian or New Zealand mobile number\n/);
  expect(phones.out).not.toMatch(/^line [24]: /m);
  await api.settle();
  const { jobs } = (await owner.get('/api/jobs')).body;
  const one = jobs.find(({ name }: { name: string }) => name === 'Ann Smith');
  expect((await owner.get(`/api/jobs/${one.id}`)).body.job.phone).toBe('+61491570156');
}, 60_000);

test('a map that an editor saved with a mark of its byte order is read like one without', async () => {
  const owner = await api.signIn();
  const row = 'A-1,Ann Smith,ann@example.com,0491570156,1 High St,Kew,31/01/2026 9am,Booked';
  writeFileSync(csv, `No,Name,Email,Mobile,Street,Suburb,Start,State\n${row}\n`);
  const file = join(importFiles, 'map-with-byte-order-mark.json');
  expect([...readFileSync(file).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const ran = await runImportOf(api, folder.path, csv, owner.slug, '--map', file);
  expect(ran).toEqual({ out: '1 job added, 0 were there already\n', err: '', code: 0 });
  await api.settle();
  expect((await owner.get('/api/jobs')).body.jobs).toMatchObject([
    {
      ...{ name: 'Ann Smith', status: 'In progress', location: { address: '1 High St, Kew' } },
      scheduledAt: '2026-01-30T22:00:00.000Z',
    },
  ]);
}, 60_000);

test('a map that does not fit the file is refused in one line', async () => {
  write(heading.replace('Email', 'E-mail'));
  const { out, err, code } = await importCsv((await api.signIn()).slug);
  expect([out, code]).toEqual(['', 1]);
  expect(err).toMatch(/^The file has no column "Email" in its first line\.\n$/);
}, 60_000);
