import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseChecks, skewOutcome } from '#api/cli/doctor/database-checks.ts';
import { findingLines, runChecks } from '#api/cli/doctor/finding.ts';
import { logChecks } from '#api/cli/doctor/log-checks.ts';
import { outsideChecks } from '#api/cli/doctor/outside-checks.ts';
import { createLogger } from '#api/http/log.ts';
import { attestations } from '#api/proof/commands/attestations.ts';
import { followingProcesses } from '#api/rooms.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { noteSigner } from '#core/crypto/note.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { createLogOrigin } from '#core/event-store/log-origin.ts';
import { tooOldPostgres } from '#migrations/run.ts';
import { jobsProjection } from '#projections/jobs/projection.ts';
import { liveBuild } from '#projections/runtime/build.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { testConfig } from '#tests/support/app/fixtures.ts';
import { runUte } from '#tests/support/processes/processes.ts';
import { mailServer } from '#tests/support/servers/mail-server.ts';
import { providerServer } from '#tests/support/servers/providers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** `state check` of each, and the lines of what is not well. */
async function found(checks: ReturnType<typeof outsideChecks>, name: string) {
  const findings = await runChecks(checks.filter((check) => check.name === name));
  return findings.map(({ state, line }) => `${state}: ${line}`).join('\n');
}
const outside = (config: Config, name: string, free = async () => 1e12) =>
  found(outsideChecks(config, free), name);
const inside = (name: string, { config = testConfig(), now = () => new Date() } = {}) =>
  found(databaseChecks({ db: database.pool, config, now }), name);

test('a database as it should be is well in every check', async () => {
  const checks = databaseChecks({ db: database.pool, config: testConfig(), now: () => new Date() });
  const findings = await runChecks(checks);
  expect(findings.filter(({ state }) => state !== 'ok')).toEqual([]);
  expect(findingLines(findings)[0]).toMatch(/^ok {7}database {6}Postgres \d+/);
});

test('a server that is too old is named with the oldest that can be used', () => {
  expect(tooOldPostgres({ number: 150_020, name: '15.20 (Debian 15.20-0+deb12u1)' })).toBe(
    'Postgres 15.20 (Debian 15.20-0+deb12u1) is too old: Ute needs Postgres 16 or newer',
  );
  expect(tooOldPostgres({ number: 160_000, name: '16.0' })).toBeNull();
});

test('a login that owns the log or administers the server is named, with the remedy', async () => {
  const strict = { ...testConfig(), migrationDatabaseUrl: 'postgres://x' };
  const asAdmin = databaseChecks({ db: database.admin, config: strict, now: () => new Date() });
  expect(await found(asAdmin, 'rights')).toMatch(
    /^wrong: the product may change or delete events: .*roles\.sql/,
  );
});

test('a missing extension and a missing or unknown migration are named', async () => {
  const session = await database.admin.connect();
  try {
    await session.query('begin');
    await session.query('drop extension btree_gin cascade');
    const checks = databaseChecks({ db: session as never, config: testConfig(), now: () => new Date() });
    expect(await found(checks, 'extensions')).toMatch(
      /^wrong: lacks the extension btree_gin: run ute migrate/,
    );
    await session.query(
      'delete from migrations.applied where name = (select max(name) from migrations.applied)',
    );
    expect(await found(checks, 'migrations')).toMatch(/^wrong: \d{4}-\S+ is missing: run ute migrate/);
    await session.query("insert into migrations.applied (name, checksum) values ('9999-later.sql', 'x')");
    expect(await found(checks, 'migrations')).toMatch(/^wrong: The database has migration 9999-later/);
  } finally {
    await session.query('rollback');
    session.release();
  }
});

test('a clock that is off is measured against the database', async () => {
  expect(await inside('clock', { now: () => new Date(Date.now() - 60_000) })).toMatch(
    /^wrong: (59|60|61) s behind that of the database: set both by NTP$/,
  );
  expect(skewOutcome('the database', -5_000)).toEqual([
    'warning',
    '5 s ahead of that of the database: set both by NTP',
  ]);
});

test('while nothing is erased after a jump of the clock, that is said until when', async () => {
  expect(await inside('clock jumps')).toBe(
    'ok: the clock was not compared yet: a worker does so before it erases',
  );
  const until = new Date(Date.now() + 3_600_000);
  await database.admin.query('insert into state.clock_seen (seen_at, rests_until) values (now(), $1)', [
    until,
  ]);
  try {
    expect(await inside('clock jumps')).toBe(
      `warning: the clock jumped, and nothing is erased until ${until.toISOString()}: see that NTP runs; what is due waits`,
    );
    await database.admin.query("update state.clock_seen set rests_until = now() - interval '1 second'");
    expect(await inside('clock jumps')).toBe('ok: the clock has not jumped, and erasures go on');
  } finally {
    await database.admin.query('delete from state.clock_seen');
  }
});

test('dead messages and one that waits too long are counted', async () => {
  await database.admin.query(
    `insert into state.outbox (id, kind, data, queued_at, wanted_at, due_at, delivery_status) values
       (gen_random_uuid(), 'welcome', '{}', now(), now(), now(), 'dead'),
       (gen_random_uuid(), 'welcome', '{}', now(), now() - interval '2 hours', now(), 'waiting')`,
  );
  try {
    const lines = await inside('outbox');
    expect(lines).toContain('wrong: 1 could not be sent: ute outbox list says why');
    expect(lines).toMatch(/wrong: a message waits for 7\d\d\d s: see that a worker runs/);
  } finally {
    await database.admin.query('delete from state.outbox');
  }
});

test('a witness that has not signed what is an hour old is named, and one that has had no time yet is not', async () => {
  const { verifier } = noteSigner('witness.example/a', randomBytes(32), 'cosignature');
  const { proof, ...config } = testConfig();
  if (!proof) throw new Error('LOG_KEY is missing');
  const witnesses = [{ url: new URL('https://witness.example'), verifier }];
  const asking = { ...config, proof: { ...proof, witnesses } };
  const look = (now: Date, given: Config = asking) =>
    found(
      [
        {
          name: 'asked',
          look: () => attestations.look({ db: database.pool, config: given, now: () => now }),
        },
      ],
      'asked',
    );
  const made = new Date('2026-11-20T01:00:00Z');
  const after = (minutes: number) => new Date(made.getTime() + minutes * 60_000);
  expect(await look(made, { ...config, proof })).toMatch(/^ok: neither/);
  expect(await look(made)).toBe('ok: 1 party attests to checkpoints');
  await database.admin.query(
    "insert into proof.log (epoch, origin, begun_at, from_size, why) values (1, 'o', $1, 0, '')",
    [made],
  );
  await database.admin.query(
    "insert into proof.checkpoints (epoch, size, note, made_at) values (1, 7, '', $1)",
    [made],
  );
  try {
    expect(await look(after(59))).toMatch(/^ok/);
    expect(await look(after(61))).toBe(
      `warning: witness ${verifier.vkey}: nothing yet, attestation-failed in the log says why`,
    );
    await database.admin.query(
      `insert into proof.attestations (epoch, size, kind, source, answer, at) values (1, 7, 'cosignature', $1, '', $2)`,
      [verifier.vkey, made],
    );
    expect(await look(after(61))).toMatch(/^ok/);
  } finally {
    await database.admin.query('delete from proof.attestations');
    await database.admin.query('delete from proof.checkpoints');
    await database.admin.query('delete from proof.log');
  }
});

test('a log that is not the one of the database, and events that were set aside', async () => {
  const config = testConfig();
  const store = createEmbeddedEventStore({
    ...{ pool: database.pool, connectionString: database.url, dataKey: config.keys.data },
  });
  const readers = async () => [];
  const origin = createLogOrigin({ store, pool: database.pool, kind: 'embedded', readers });
  const log = { origin, unverified: store } as never;
  const deps = { config, db: database.pool, store, now: () => new Date(), logger: createLogger('silent') };
  const processes = followingProcesses(deps);
  const look = (name: string) => found(logChecks({ db: database.pool, config, log, processes }), name);
  const { key } = liveBuild(jobsProjection);
  try {
    expect(await look('event store')).toMatch(/^ok: answers/);
    await database.admin.query(
      `insert into state.log_identity (kind, first_event) values ('eventstoredb', gen_random_uuid())`,
    );
    await database.admin.query(
      `insert into read.projection_parked (projection, position, stream, revision, type, reason)
       values ($1, 1, 'job-1', 0, 'JobRequested', 'unreadable')`,
      [key],
    );
    await database.admin.query(
      `insert into state.process_parked (process, position, stream, revision, type, reason)
       values ('outbox', 1, 'job-1', 0, 'JobRequested', 'unreadable')`,
    );
    expect(await look('event store')).toMatch(/^wrong: /);
    expect(await look('projections')).toContain(
      'wrong: jobs has set 1 event aside: mend the cause, then ute projections replay-parked',
    );
    expect(await look('processes')).toContain('then ute processes replay-parked');
  } finally {
    await database.admin.query('delete from state.log_identity');
    await database.admin.query('delete from read.projection_parked');
    await database.admin.query('delete from state.process_parked');
    await store.close();
  }
});

test('a mail server that is unavailable, refuses the password, or takes mail: nothing is sent', async () => {
  const server = await mailServer({ login: { user: 'ute', password: 'correct-horse' } });
  const config = (url: string) => testConfig({ SMTP_URL: url, MAIL_FROM: 'Ute <hello@ute.example>' });
  try {
    expect(await outside(config(server.url), 'mail')).toBe('ok: the mail server answers and lets us in');
    const wrong = await outside(config(server.url.replace('correct-horse', 'wrong-marker')), 'mail');
    expect(wrong).toMatch(
      /^wrong: the mail server does not take our mail \(EAUTH 535\): see user and password/,
    );
    expect(wrong).not.toContain('marker');
    expect(server.received).toEqual([]);
  } finally {
    await server.close();
  }
  expect(await outside(config(server.url), 'mail')).toMatch(/^wrong: .*see host, port and certificate/);
});

test('an SMS provider that is unavailable, and one whose clock is another', async () => {
  const twilio = (url: string) =>
    testConfig({
      SMS: 'twilio',
      SMS_FROM: '+61412345678',
      TWILIO_ACCOUNT: 'AC12345',
      TWILIO_TOKEN: 'token-marker',
      SMS_URL: url,
    });
  const ahead = () =>
    new Response(null, { status: 404, headers: { date: new Date(Date.now() + 90_000).toUTCString() } });
  const server = providerServer(ahead);
  const late = await outside(twilio(server.url), 'SMS');
  await server.stop();
  expect(late).toMatch(
    /^ok: twilio answers\nwrong: our clock is \d+ s behind that of twilio: set both by NTP$/,
  );
  const unavailable = await outside(twilio(server.url), 'SMS');
  expect(unavailable).toMatch(/^wrong: twilio cannot be reached/);
  expect(unavailable).not.toContain('marker');
});

test('a disk that runs full', async () => {
  expect(await outside(testConfig(), 'disk', async () => 1024 ** 3)).toMatch(/^warning: 1\.0 GiB are free/);
  expect(await outside(testConfig(), 'disk', async () => 1024 ** 2)).toMatch(/^wrong: 0\.0 GiB are free/);
});

test('proxies that are not counted, and an address that leads nowhere', async () => {
  const config = testConfig({ PUBLIC_ORIGIN: 'https://127.0.0.1:1' });
  expect(await outside(config, 'proxies')).toMatch(/^wrong: .*TRUSTED_PROXIES is 0/);
  expect(await outside({ ...config, trustedProxies: 1 }, 'proxies')).toBe('ok: 1 trusted');
  expect(await outside(config, 'public address')).toMatch(/^warning: PUBLIC_ORIGIN does not lead/);
  expect(await outside({ ...config, environment: 'production' }, 'public address')).toMatch(/^wrong: /);
});

test('a check that does not answer is wrong within its own time, and holds up no other', async () => {
  const silent = { name: 'silent', look: () => new Promise<never>(() => {}) };
  const fails = {
    name: 'fails',
    look: () => Promise.reject(Object.assign(new Error('postgres://u:marker@h'), { code: 'ECONNREFUSED' })),
  };
  const well = { name: 'well', look: async () => ['ok', 'fine'] as const };
  expect(await runChecks([silent, fails, well], 20)).toEqual([
    { check: 'silent', state: 'wrong', line: 'gave no answer within 0.02 s: see that it is reachable' },
    {
      check: 'fails',
      state: 'wrong',
      line: 'cannot be checked (Error ECONNREFUSED): see that it is reachable',
    },
    { check: 'well', state: 'ok', line: 'fine' },
  ]);
});

test('the command names every variable that is wrong, without its value, and exits with 1', async () => {
  const { out, code } = await runUte({ PORT: 'marker', ROLE: 'marker' }, 'doctor');
  expect(out).toContain('wrong    environment  PORT must be a whole number');
  expect(out).toContain('wrong    environment  ROLE must be one of');
  expect(out).not.toContain('marker');
  expect(code).toBe(1);
});

test('the command looks at a whole installation, and says in JSON what it found', async () => {
  const [DATA_KEY, CLAIM_KEY] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
  const environment = { DATABASE_URL: database.url, DATA_KEY, CLAIM_KEY, DATA_DIR: '/tmp' };
  const { out, err } = await runUte(environment, 'doctor', '--json');
  const { findings } = JSON.parse(out || `"${err}"`) as { findings: { check: string; state: string }[] };
  const checks = findings.map(({ check }) => check);
  for (const check of ['environment', 'keys', 'database', 'rights', 'event store', 'projections', 'outbox'])
    expect(checks).toContain(check);
  expect(out).not.toContain(DATA_KEY);
  const unreachable = await runUte(
    { ...environment, DATABASE_URL: 'postgres://ute:marker@127.0.0.1:1/x' },
    'doctor',
  );
  expect(unreachable.out).toContain('see host, login and password of DATABASE_URL');
  expect(unreachable.out).not.toContain('marker');
  expect(unreachable.code).toBe(1);
});
