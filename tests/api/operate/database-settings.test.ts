import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseChecks } from '#api/cli/doctor/database-checks.ts';
import { runChecks } from '#api/cli/doctor/finding.ts';
import { endSession, newSession } from '#core/postgres/session.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { testPool } from '#tests/support/app/database.ts';
import { sendForm } from '#tests/support/scenarios/job-requests.ts';

let api: TestApp;
let dave: SignedIn;
beforeAll(async () => {
  api = await testApp();
  dave = await api.signIn();
});
afterAll(() => api?.close());

const name = () => new URL(api.databaseUrl).pathname.slice(1);

/** As the login of the application may for itself: sets defaults, and ends the sessions that began without them. */
async function restartWith(...statements: readonly string[]): Promise<void> {
  const session = newSession(api.databaseUrl, 'test');
  await session.connect();
  for (const statement of statements) await session.query(statement);
  await session.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where usename = session_user and datname = current_database() and pid <> pg_backend_pid()',
  );
  await endSession(session);
}
const defaults = (...settings: readonly string[]) =>
  restartWith(...settings.map((one) => `alter role ute_app in database ${name()} ${one}`));

test('whatever the defaults of its login, people sign in and send the form', async () => {
  await defaults(
    "set datestyle = 'SQL, DMY'",
    "set intervalstyle = 'sql_standard'",
    "set timezone = 'Pacific/Apia'",
    "set default_transaction_isolation = 'serializable'",
    'set default_transaction_read_only = on',
    'set row_security = off',
    "set search_path = ''",
  );
  const { status, body } = await api.post('/api/authenticate/login', {
    email: dave.email,
    password: dave.password,
  });
  expect(status).toBe(200);
  const signedIn = api.as({ authorization: `Bearer ${body.token}` });
  expect((await sendForm(api, dave.slug, { title: 'Leaking tap' })).status).toBe(200);
  await api.settle();
  expect((await signedIn.get('/api/jobs')).body.jobs).toMatchObject([{ title: 'Leaking tap' }]);
  expect((await api.get('/api/health/ready')).body).toMatchObject({ checks: { database: 'ok' } });
});

test('readiness and doctor name what a login cannot set for itself', async () => {
  const { databaseUrl } = api;
  await defaults('reset all');
  const pool = testPool(databaseUrl, 1);
  try {
    await pool.query("set ute.session = 'of another'");
    const { checkReadiness } = await import('#api/http/health/readiness.ts');
    expect(await checkReadiness({ ...api.deps, db: pool })).toMatchObject({
      ...{ ready: true, degraded: true, checks: { database: 'degraded' } },
      reasons: [{ name: 'database', reason: 'setting-ute.session' }],
    });
    const [settings] = await runChecks(
      databaseChecks({ db: pool, config: api.deps.config, now: () => new Date() }).filter(
        (check) => check.name === 'settings',
      ),
    );
    expect(settings).toMatchObject({ state: 'wrong', line: expect.stringContaining('a pooler gives') });
  } finally {
    await pool.end();
  }
});
