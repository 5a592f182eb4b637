import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyVariables } from '#api/runtime/config/keys.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { type Ran, runUte } from '#tests/support/processes/processes.ts';
import { aNewJob } from '#tests/support/scenarios/job-requests.ts';

const folder = tempFolder('forget');
let api: TestApp;
let acme: SignedIn;
beforeAll(async () => {
  api = await testApp({ processes: true });
  acme = await api.signIn();
});
afterAll(async () => {
  await api?.close();
  folder.remove();
});

function forget(...words: string[]): Promise<Ran> {
  const keys = Object.entries(keyVariables).map(([purpose, variable]) => {
    return [variable, api.deps.config.keys[purpose as keyof typeof keyVariables].toString('base64')];
  });
  const ledger = { ERASURES_TO: join(folder.path, 'elsewhere', 'erasures.log') };
  const environment = { DATABASE_URL: api.databaseUrl, DATA_DIR: folder.path, ...ledger };
  return runUte({ ...Object.fromEntries(keys), ...environment }, 'forget', ...words);
}

async function aJob(changes: Parameters<typeof aNewJob>[0] = {}): Promise<string> {
  const { body } = await acme.post('/api/jobs', aNewJob(changes));
  await api.settle();
  return body.job.id;
}
const nameOf = async (id: string) => (await acme.get(`/api/jobs/${id}`)).body.job.name;

test('all jobs of a customer are found by the email, shown first, and removed at once when that is asked for', async () => {
  const customer = { name: 'Hemi Tautari', email: 'hemi@tautari.example', phone: '0491 570 110' };
  const [first, second] = [await aJob(customer), await aJob({ ...customer, email: 'Hemi@Tautari.example' })];
  const bystander = await aJob({ email: 'other@example.com', phone: '0491 570 156' });

  const shown = await forget(
    'customer',
    '--business',
    acme.slug,
    '--email',
    'HEMI@tautari.example',
    '--dry-run',
  );
  expect(shown).toMatchObject({ err: '', code: 0 });
  expect(shown.out).toContain('would be removed: 2 keys, 0 files, 0 links, 0 messages that wait, 2 jobs');
  expect(shown.out).toContain(first);
  expect(shown.out).toMatch(/out of reach: .*\n( {2}2\d{3}-\S+Z {2}\S.*\n)*$/);
  expect(await nameOf(first)).toBe('Hemi Tautari');

  const done = await forget('customer', '--business', acme.slug, '--job', first, '--now');
  expect(done).toMatchObject({ err: '', code: 0 });
  expect(done.out).toMatch(/^[0-9a-f-]{36}: 2 removed\n$/);
  for (const id of [first, second]) expect(await nameOf(id)).toBe('Removed customer');
  expect(await nameOf(bystander)).toBe('Moana Rangi');

  const erasureId = done.out.slice(0, 36);
  expect(await forget('verify', erasureId)).toEqual({
    out: `${erasureId}: nothing is left\n`,
    err: '',
    code: 0,
  });
  await api.everyRow.query(`update ${jobTables.jobs} set title = 'Back' where job_id = $1`, [second]);
  expect(await forget('verify', erasureId)).toEqual({
    ...{ out: `${erasureId}: read.jobs holds customer-${second}\n`, err: '', code: 1 },
  });
  const listed = JSON.parse((await forget('list', '--json')).out);
  expect(listed).toMatchObject([{ erasureId, status: 'completed', basis: 'operator', scope: 'jobs' }]);
  expect(JSON.stringify(listed)).not.toMatch(/hemi/i);
});

test('without --now it waits for its day, and is taken back', async () => {
  const job = await aJob();
  const { out, code } = await forget('job', job);
  expect(code).toBe(0);
  const erasureId = out.slice(0, 36);
  await api.settle();
  expect((await acme.get(`/api/jobs/${job}`)).body.job).not.toHaveProperty('email');
  expect((await forget('list')).out).toContain(`${erasureId}  requested  1 job  operator  due `);
  expect((await forget('verify', erasureId)).code).toBe(1);
  expect(await forget('cancel', erasureId)).toEqual({ out: `${erasureId}: taken back\n`, err: '', code: 0 });
  await api.settle();
  expect((await forget('list')).out).toContain(`${erasureId}  cancelled  1 job  operator  was due `);
  expect((await acme.get(`/api/jobs/${job}`)).body.job.email).toBe('moana@example.com');
});

test('asked for again it is the same removal, so that one cancel takes it back', async () => {
  const job = await aJob();
  const erasureId = (await forget('job', job)).out.slice(0, 36);
  const again = await forget('job', job);
  expect(again).toMatchObject({ err: '', code: 0 });
  expect(again.out).toMatch(
    new RegExp(`^${erasureId}: asked for before, due .*; ute forget cancel ${erasureId}\n$`),
  );
  expect((await forget('cancel', erasureId)).code).toBe(0);
  expect((await forget('list')).out).not.toContain('  requested  ');
  expect((await forget('job', job)).out).not.toContain(erasureId);
});

test('an id that none can be is refused with the right use', async () => {
  const { err, code } = await forget('job', 'not_an-id');
  expect(err).toContain("'not_an-id' is invalid for argument 'id'. An id of letters, digits and dashes.");
  expect(code).toBe(1);
});

test.each([
  [['job', crypto.randomUUID()], 'There is no such job.'],
  [['demo', crypto.randomUUID()], 'There is no such request for a demo.'],
  [['cancel', crypto.randomUUID()], 'Removal not found'],
  [['verify', 'nonsense'], 'There is no such removal.'],
  [
    ['customer', '--business', 'not-there', '--email', 'a@b.example'],
    'There is no business with this address.',
  ],
])('%j is refused in one line', async (words, message) => {
  expect(await forget(...words)).toEqual({ out: '', err: `${message}\n`, code: 1 });
});

test('a business is removed with its jobs and its account by its address, and an account with its business', async () => {
  const [first, second] = [await api.signIn(), await api.signIn()];
  const jobId = (await first.post('/api/jobs', aNewJob())).body.job.id;
  await api.settle();
  const shown = await forget('business', first.slug, '--dry-run');
  expect(shown).toMatchObject({ err: '', code: 0 });
  expect(shown.out).toContain(`business ${first.businessId}`);
  expect(shown.out).toContain('would be removed: 3 keys, 0 files, 0 links, 0 messages that wait, 1 job');

  const planned = await forget('business', first.slug);
  const [id = ''] = planned.out.split(':');
  await api.settle();
  expect((await api.get(`/api/public-forms/${first.slug}`)).status).toBe(404);
  expect((await forget('cancel', id)).code).toBe(0);
  await api.settle();
  expect((await api.get(`/api/public-forms/${first.slug}`)).status).toBe(200);

  const done = await forget('business', first.slug, '--now');
  expect(done).toMatchObject({ err: '', code: 0 });
  expect((await first.get(`/api/jobs/${jobId}`)).status).toBe(403);
  const [removed = ''] = done.out.split(':');
  expect(await forget('verify', removed)).toMatchObject({ out: `${removed}: nothing is left\n`, code: 0 });
  expect((await forget('business', first.slug, '--now')).err).toBe(
    'There is no business with this address.\n',
  );

  expect(await forget('account', second.accountId, '--now')).toMatchObject({ err: '', code: 0 });
  expect((await api.get(`/api/public-forms/${second.slug}`)).status).toBe(404);
  expect((await forget('account', second.accountId)).err).toBe('This account was removed already.\n');
  expect((await forget('account', crypto.randomUUID())).code).toBe(1);
});
