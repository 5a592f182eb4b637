import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '#api/http/log.ts';
import { createBusinessRows } from '#api/runtime/business-rows.ts';
import { openDatabase } from '#api/runtime/database.ts';
import { migrate } from '#migrations/run.ts';
import { accountTables } from '#projections/accounts/table.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { projections } from '#projections/registry.ts';
import { rebuildTogether } from '#projections/runtime/rebuild/rebuild.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { testPool } from '#tests/support/app/database.ts';

let api: TestApp;
let alice: SignedIn;
let bob: SignedIn;

beforeAll(async () => {
  api = await testApp();
  [alice, bob] = [await api.signIn(), await api.signIn({ ...other })];
  for (const owner of [alice, bob, bob]) {
    const answer = await owner.post('/api/jobs', job);
    expect(answer.status).toBe(200);
  }
  await api.settle();
});
afterAll(() => api?.close());

const other = { email: 'bob@ponsonby.example', phone: '+61412345679', slug: 'ponsonby-plumbing' };
const job = {
  ...{ name: 'Carol Fenwickton', email: 'carol@fenwickton.example', phone: '+61412345670' },
  ...{ address: '12 Lygon St, Brunswick VIC', title: 'Leaking tap', notes: '' },
};
const jobs = `select business_id, count(*)::int as n from ${jobTables.details} group by 1`;

/** As Postgres writes the name of a table. */
const nameOf = (quoted: string) => quoted.replaceAll('"', '');

/** Rows of a business that have no policy, and why (core/decisions/038). Everything else has one. */
const withoutPolicy = {
  [nameOf(accountTables.accounts)]: 'signing in, and mail to an account',
  [nameOf(accountTables.businesses)]: 'signing in, and mail in the name of a business',
  'read.public_forms': 'the public form, by its address',
  'read.public_form_questions': 'the public form, by its address',
  [nameOf(jobTables.jobs)]: 'lists',
  [nameOf(jobTables.counts)]: 'counts',
  [nameOf(jobTables.search)]: 'searches of lists',
  [nameOf(jobTables.spans)]: 'lists and counts of an earlier moment',
  'state.alert_messages': 'the budget of SMS, per business and of all together',
  'state.answer_links': 'by the hash of the link, which names the business',
  'state.credentials': 'signing in, by the account',
  'state.erasures': 'what the worker carries out, for all businesses',
  'state.files': 'by a signed link, by the token of an upload, and by the sweep of all',
  'state.form_requests': 'the budgets of the public forms, per business and per source',
  'state.intake': 'limits of the public forms, per source over all businesses',
  'state.outbox': 'what the sender sends, for all businesses',
  'state.sessions': 'by the id in the bearer token: what names the business',
};

test('every table with rows of a business has a policy, or a reason to have none', async () => {
  const { rows } = await api.deps.db.query<{ name: string; isGuarded: boolean }>(
    `select c.oid::regclass::text as name,
       c.relrowsecurity and c.relforcerowsecurity and exists (select from pg_policy where polrelid = c.oid) as "isGuarded"
     from pg_class c
     where c.relkind in ('r', 'p') and c.relnamespace in ('read'::regnamespace, 'state'::regnamespace)
       and exists (select from pg_attribute where attrelid = c.oid and attname = 'business_id' and not attisdropped)`,
  );
  const open = rows.filter(({ isGuarded }) => !isGuarded).map(({ name }) => name);
  expect(open.toSorted()).toEqual(Object.keys(withoutPolicy).toSorted());
  expect(rows.some(({ name, isGuarded }) => isGuarded && name === nameOf(jobTables.details))).toBe(true);
});

test('every other table holds no rows of one business', async () => {
  const { rows } = await api.deps.db.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relkind in ('r', 'p') and c.relnamespace in ('read'::regnamespace, 'state'::regnamespace)
       and not exists (select from pg_attribute where attrelid = c.oid and attname = 'business_id' and not attisdropped)`,
  );
  expect(rows.map(({ name }) => name).toSorted()).toEqual(withoutBusiness.toSorted());
});

/** Keys, limits, hashes, positions: by subject, account, address, draft or process. */
const withoutBusiness = [
  ...[
    'read.checkpoints',
    'read.projection_parked',
    'state.announcements',
    'state.backups',
    'state.bot_check_spent',
  ],
  ...['state.bot_check_tickets', 'state.reservations', 'state.code_messages', 'state.contact_changes'],
  ...['state.email_confirmations', 'state.key_fingerprints', 'state.log_identity', 'state.login_failures'],
  ...[
    'state.idempotency',
    'state.outbox_page',
    'state.pending_credentials',
    'state.process_parked',
    'state.process_positions',
    'state.retention_runs',
    'state.clock_seen',
  ],
  ...['state.rate_limits', 'state.registration_codes', 'state.registration_emails', 'state.registrations'],
  ...['state.reset_tokens', 'state.subject_keys'],
];

test('a session of a request sees no row, and with a business those of that business alone', async () => {
  expect((await api.deps.db.query(jobs)).rows).toEqual([]);
  const of = async (who: SignedIn) => (await api.deps.rowsOf(who.businessId).query(jobs)).rows;
  expect(await of(alice)).toEqual([{ business_id: alice.businessId, n: 1 }]);
  expect(await of(bob)).toEqual([{ business_id: bob.businessId, n: 2 }]);
  expect((await api.everyRow.query(jobs)).rows).toHaveLength(2);
});

test('one connection that serves business after business shows each its own rows', async () => {
  const pool = testPool(api.databaseUrl, 1, { pipeline: true });
  const rowsOf = createBusinessRows(pool);
  const asked = [alice, bob, bob, alice, bob].map(async ({ businessId }) => {
    const { rows } = await rowsOf(businessId).query<{ business_id: string }>(jobs);
    expect(rows.map(({ business_id }) => business_id)).toEqual([businessId]);
  });
  await Promise.all(asked);
  await pool.end();
});

test('after a query that failed the next one is of its own business', async () => {
  const pool = testPool(api.databaseUrl, 1, { pipeline: true });
  const rowsOf = createBusinessRows(pool);
  await expect(rowsOf(alice.businessId).query('select nonsense')).rejects.toThrow('nonsense');
  expect((await rowsOf(bob.businessId).query(jobs)).rows).toEqual([{ business_id: bob.businessId, n: 2 }]);
  await pool.end();
});

test('where the business cannot be set, the rows of the one before are not answered', async () => {
  const pool = testPool(api.databaseUrl, 1, { pipeline: true });
  const rowsOf = createBusinessRows(pool);
  expect((await rowsOf(alice.businessId).query(jobs)).rows).toHaveLength(1);
  // Postgres takes no text with a NUL.
  await expect(rowsOf('\0').query(jobs)).rejects.toThrow('invalid byte sequence');
  expect((await rowsOf(bob.businessId).query(jobs)).rows).toEqual([{ business_id: bob.businessId, n: 2 }]);
  await pool.end();
});

test('a query that takes too long ends its connection, and the next one is answered', async () => {
  const pool = testPool(api.databaseUrl, 1, { pipeline: true, query_timeout: 300 });
  const rowsOf = createBusinessRows(pool);
  await expect(rowsOf(alice.businessId).query('select pg_sleep(30)')).rejects.toThrow('Query read timeout');
  const { rows } = await rowsOf(bob.businessId).query(jobs);
  expect(rows).toEqual([{ business_id: bob.businessId, n: 2 }]);
  await pool.end();
});

test('a business goes out with the query for its rows, before either is answered', async () => {
  const pool = testPool(api.databaseUrl, 1, { pipeline: true });
  const rowsOf = createBusinessRows(pool);
  await rowsOf(alice.businessId).query(jobs);
  const client = await pool.connect();
  const { query } = client;
  const order: string[] = [];
  client.query = (async (...asked: Parameters<typeof query>) => {
    order.push('asked');
    const answer = await Reflect.apply(query, client, asked);
    order.push('answered');
    return answer;
  }) as unknown as typeof query;
  client.release();
  await rowsOf(bob.businessId).query(jobs);
  expect(order).toEqual(['asked', 'asked', 'answered', 'answered']);
  await pool.end();
});

test('a row of another business is neither written nor taken', async () => {
  const rows = api.deps.rowsOf(alice.businessId);
  const insert = `insert into ${jobTables.details}
    select (json_populate_record(copied, json_build_object('job_id', 'stolen', 'business_id', $1::text))).*
    from ${jobTables.details} copied`;
  await expect(rows.query(insert, [bob.businessId])).rejects.toThrow('row-level security');
  const steal = `update ${jobTables.details} set business_id = $1 returning job_id`;
  await expect(rows.query(steal, [bob.businessId])).rejects.toThrow('row-level security');
  expect(
    (await rows.query(`delete from ${jobTables.details} where business_id = $1`, [bob.businessId])).rows,
  ).toEqual([]);
  expect((await api.everyRow.query(jobs)).rows).toHaveLength(2);
});

test("the product's own pools: requests see nothing, what follows the log sees all", async () => {
  const config = { ...api.deps.config, databaseUrl: api.databaseUrl };
  const database = await openDatabase(config, createLogger('silent'), migrate);
  expect((await database.requests.query(jobs)).rows).toEqual([]);
  const rows = database.rowsOf(alice.businessId);
  expect((await rows.query(jobs)).rows).toHaveLength(1);
  // The query after a setting that failed runs all the same: it must change nothing.
  await expect(rows.query(`delete from ${jobTables.details}`)).rejects.toThrow('read-only transaction');
  expect((await database.log.query(jobs)).rows).toHaveLength(2);
  await database.close();
});

test('tables that a rebuild made are guarded as those before', async () => {
  const deps = {
    store: api.deps.store,
    pool: api.everyRow,
    connectionString: api.databaseUrl,
    log: api.deps.logger,
  };
  await rebuildTogether(deps, projections);
  expect((await api.deps.db.query(jobs)).rows).toEqual([]);
  expect((await api.deps.rowsOf(bob.businessId).query(jobs)).rows).toEqual([
    { business_id: bob.businessId, n: 2 },
  ]);
  const { body } = await bob.get('/api/jobs');
  const own = await bob.get(`/api/jobs/${body.jobs[0].id}`);
  expect(own.body).toMatchObject({ job: { title: 'Leaking tap' } });
});
