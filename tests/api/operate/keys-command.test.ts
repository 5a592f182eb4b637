import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseChecks } from '#api/cli/doctor/database-checks.ts';
import { runChecks } from '#api/cli/doctor/finding.ts';
import { keyVariables } from '#api/runtime/config/keys.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { runUte } from '#tests/support/processes/processes.ts';

const folder = tempFolder('keys');
let api: TestApp;
beforeAll(async () => {
  api = await testApp();
});
afterAll(async () => {
  await api?.close();
  folder.remove();
});

const keys = (...words: string[]) => {
  const own = Object.entries(keyVariables).map(([purpose, variable]) => {
    return [variable, api.deps.config.keys[purpose as keyof typeof keyVariables].toString('base64')];
  });
  const environment = { DATABASE_URL: api.databaseUrl, DATA_DIR: folder.path };
  return runUte({ ...Object.fromEntries(own), ...environment }, 'keys', ...words);
};

/** What `ute doctor` says of the backup, in production and elsewhere. */
async function doctor(environment: 'production' | 'development', now = new Date()) {
  const config = { ...api.deps.config, environment };
  const checks = databaseChecks({ db: api.everyRow, config, now: () => now });
  const findings = await runChecks(checks.filter(({ name }) => name === 'backup'));
  return findings.map(({ state, line }) => `${state}: ${line}`);
}

test('the page has each key and its check value; typed back from paper the values are noted', async () => {
  const printed = await keys('print');
  expect(printed).toMatchObject({ err: '', code: 0 });
  const digits = printed.out.replaceAll(/[\s-]/g, '');
  for (const purpose of ['data', 'claim'] as const)
    expect(digits).toContain(api.deps.config.keys[purpose].toString('hex'));
  expect(digits).not.toContain(api.deps.config.keys.token.toString('hex'));
  const values = [...printed.out.matchAll(/check value (\S+)/g)].map(([, value]) => value ?? '');
  expect(values.length).toBeGreaterThanOrEqual(2);

  expect(await doctor('production')).toContainEqual(
    expect.stringMatching(/^warning: the keys on paper were never/),
  );
  const [first = '', ...rest] = values;
  expect(await keys('confirm', first, '1234-5678')).toMatchObject({
    code: 1,
    err: expect.stringContaining('1234-5678 is of no key of this installation'),
  });
  if (rest.length > 0)
    expect(await keys('confirm', first)).toMatchObject({
      code: 1,
      err: expect.stringContaining('is missing'),
    });
  expect(await doctor('production')).toContainEqual(
    expect.stringMatching(/^warning: the keys on paper were never/),
  );
  const confirmed = await keys('confirm', ...values.toReversed().map((value) => value.toUpperCase()));
  expect(confirmed).toMatchObject({ err: '', code: 0 });
  expect(await doctor('production')).toContainEqual(
    expect.stringMatching(/^ok: the keys on paper were compared on \d{4}-/),
  );
});

test('no backup is a warning in production, and an old one everywhere', async () => {
  expect((await doctor('production'))[0]).toMatch(/^warning: no backup: set BACKUP_TO/);
  expect((await doctor('development'))[0]).toMatch(/^ok: no backup/);
  const at = new Date('2026-11-23T05:00:00.000Z');
  await api.everyRow.query(`insert into state.backups (part, at) values ('log', $1)`, [at]);
  const later = (minutes: number) => new Date(at.getTime() + minutes * 60_000);
  expect((await doctor('production', later(5)))[0]).toBe(
    'ok: the last one reaches to 2026-11-23T05:00:00.000Z',
  );
  expect(await doctor('production', later(5))).toContain(
    'ok: a restore was never tried: ute restore --verify, where the identity is',
  );
  expect((await doctor('development', later(61)))[0]).toMatch(/^warning: .*see that a worker runs/);
  await api.everyRow.query(
    `insert into state.backups (part, at, reason) values ('failed', $1, 'it is full')`,
    [at],
  );
  expect(await doctor('development', later(5))).toContain(
    'warning: none could be written since 2026-11-23T05:00:00.000Z: it is full',
  );
});

test('a new key of the log says that the paper is out of date', async () => {
  const environment = { DATA_DIR: folder.path, LOG_KEY: api.deps.config.keys.data.toString('base64') };
  const { out, err, code } = await runUte(environment, 'log-key', 'rotate');
  expect({ err, code }).toEqual({ err: '', code: 0 });
  expect(out).toContain('The paper has the key before: ute keys print, then ute keys confirm.');
});
