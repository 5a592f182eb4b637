import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projections } from '#projections/registry.ts';
import { createReadSide } from '#projections/runtime/read-side/read-side.ts';
import { startProjections } from '#projections/worker.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { type RunningLog, runningLog } from '#tests/support/log/running-log.ts';
import { runUte } from '#tests/support/processes/processes.ts';
import { aJob, brunswick, registration, type Tenant } from '#tests/support/scenarios/events.ts';
import { slot } from '#tests/support/scenarios/job-requests.ts';

const dataKey = randomBytes(32);
/** As every business that registered has one: an id that ids of its jobs can derive from. */
const tenant = { ...brunswick, businessId: crypto.randomUUID() as string } as Tenant;
const job = aJob('lygon', tenant);
/** Of a log from before texts lost their controls: it clears a screen and names a window. */
const hostileText = 'Ring\u001b[2J\u001b]0;owned\u0007 first\u009b2J\rpaid\r\nthen\tknock\u202e';
const hostileId = crypto.randomUUID();
const hostile = aJob(hostileId, tenant);

let database: TestDatabase;
let log: RunningLog;
let folder: ReturnType<typeof tempFolder>;
beforeAll(async () => {
  folder = tempFolder('job-commands');
  database = await testDatabase();
  log = runningLog(database, dataKey);
  await log.append(
    ...registration(tenant),
    job.requested(),
    job.accepted(),
    job.noted('Ring first\nthen knock'),
    hostile.requested(),
    hostile.accepted(),
    hostile.noted(hostileText),
  );
  const { pool, url: connectionString } = database;
  const worker = startProjections({ store: log.store, pool, connectionString });
  const readSide = createReadSide({ pool, connectionString, store: log.store });
  const names = projections.map(({ name }) => name);
  expect(await readSide.waitFor(names, await log.store.head(), 30_000)).toBe('caught-up');
  await worker.stop();
  await readSide.close();
});
afterAll(async () => {
  await log.close();
  await database.close();
  folder.remove();
});

const ute = (...words: string[]) =>
  runUte(
    { DATABASE_URL: database.url, DATA_DIR: folder.path, DATA_KEY: dataKey.toString('base64') },
    ...words,
  );

describe('ute audit job', () => {
  test('shows the controls in a text as signs, and the terminal obeys none', async () => {
    const { out } = await ute('audit', 'job', hostileId);
    expect(out).not.toMatch(/(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    expect(out).toContain('Ring\\u001b[2J\\u001b]0;owned\\u0007 first\\u009b2J\\u000dpaid\n');
    expect(out).toContain('then\tknock\\u202e\n');
    const { out: json } = await ute('audit', 'job', hostileId, '--json');
    expect(json.trim()).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    expect(JSON.parse(json)).toMatchObject({ job: { notes: hostileText } });
  });

  test('prints the job and its story', async () => {
    const { out, err, code } = await ute('audit', 'job', 'lygon');
    expect({ err, code }).toEqual({ err: '', code: 0 });
    expect(out.split('\n')).toEqual(
      expect.arrayContaining([
        'ref       000000',
        'title     Leaking shower mixer',
        'status    To quote',
        'phone     +61491570156',
        'notes     Ring first',
        '          then knock',
        'Tue, 17 Nov 2026 8:30AM  Ute accepted the job',
      ]),
    );
  });

  test('takes the reference of the job, and says when there is none with it', async () => {
    expect((await ute('audit', 'job', '00-0000')).out).toContain('job       lygon');
    expect(await ute('audit', 'job', 'A1B2C3')).toMatchObject({
      ...{ code: 1, err: 'There is no job with the reference A1B2C3.\n' },
    });
  });

  test('prints the same as one line of JSON', async () => {
    const { out } = await ute('audit', 'job', 'lygon', '--json');
    const { job: found, history } = JSON.parse(out);
    expect(found).toMatchObject({ status: 'To quote', notes: 'Ring first\nthen knock', revision: 2 });
    expect(history.map(({ what }: { what: string }) => what)).toEqual(['notes', 'accepted', 'requested']);
  });

  test('knows nothing of a time before the job, and takes no day for an instant', async () => {
    expect(await ute('audit', 'job', 'lygon', '--at', '2026-11-16T21:29:59Z')).toMatchObject({
      ...{ code: 1, err: 'There was no such job then.\n' },
    });
    expect((await ute('audit', 'job', 'lygon', '--at', '2026-11-16')).err).toContain('with its offset');
    expect((await ute('audit', 'job', 'unknown')).err).toContain('There is no such job.');
  });
});

describe('ute work-order send', () => {
  const words = [
    ...[
      'work-order',
      'send',
      '--business',
      brunswick.slug,
      '--name',
      'Lena Fischer',
      '--phone',
      '0491570006',
    ],
    ...['--email', 'lena@example.com', '--address', '3/88 Nicholson St', '--title', 'Hot water unit'],
  ];

  test('sends one order for one key', async () => {
    const sent = await ute(...words, '--urgent', '--key', 'order-0001', '--at', slot(3, '09:00'));
    expect(sent).toMatchObject({ code: 0, err: '' });
    const id = /^sent (\S+) \([0-9A-Z]{6}\)\n$/.exec(sent.out)?.[1] ?? '';
    expect(await log.store.readStream(`job-${id}`)).toMatchObject([
      { event: { type: 'WorkOrderReceived', data: { isUrgent: true, phone: '+61491570006' } } },
    ]);
  });

  test.each([
    [['--email', 'lena'], 'email: Enter a valid email address'],
    [['--business', 'nobody-here'], 'There is no business with this address.'],
    [['--at', slot(3, '09:10')], 'scheduledAt: Choose a time from 8:00AM to 5:30PM'],
  ])('%j is refused in words', async (wrong, message) => {
    const { err, code } = await ute(...words, ...wrong);
    expect(err).toContain(message);
    expect(code).toBe(1);
  });
});
