import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ensureLogins } from '#api/runtime/postgres/logins.ts';
import { migrate } from '#migrations/run.ts';
import { accountTables } from '#projections/accounts/table.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { type TestDatabase, testDatabase, testPool } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';

/** What the owner and the administrator run at a start, in a database that a session of ute_app has prepared for them. */
let owned: TestDatabase;

beforeAll(async () => {
  owned = await testDatabase();
});
afterEach(() => owned.admin.query('alter table event_store.events enable trigger all'));
afterAll(() => owned?.close());

const isLogGuarded = async () =>
  (await owned.admin.query("select tgenabled = 'O' as is from pg_trigger where tgname = 'events_stay'"))
    .rows[0]?.is;

test('triggers, rules and defaults on the read models are not run by the owner', async () => {
  const { pool, ownerUrl } = owned;
  await pool.query(`create function read.evil() returns text language plpgsql as $$
    begin
      if current_user <> 'ute_app' then alter table event_store.events disable trigger all; end if;
      return '';
    end $$`);
  await pool.query(`create function read.evil_trigger() returns trigger language plpgsql as $$
    begin perform read.evil(); return new; end $$`);
  await pool.query(`alter table ${accountTables.accounts} alter column email set default read.evil();
    create trigger evil before insert or update or delete on ${accountTables.accounts} for each statement
      execute function read.evil_trigger();
    create view read.evil_view as select read.evil() as business_id;
    create rule evil as on update to read.public_forms do also select read.evil();
    create index evil on ${jobTables.details} ((job_id || '')) where job_id is not null`);
  await migrate(ownerUrl);
  expect(await isLogGuarded()).toBe(true);
});

test('every function of the owner lies in a schema that ute_app does not own', async () => {
  const { rows } = await owned.admin.query(
    `select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname not in ('pg_catalog', 'information_schema') and pg_get_userbyid(p.proowner) <> 'ute_app'
       and (pg_has_role('ute_app', n.nspowner, 'member') or has_schema_privilege('ute_app', n.oid, 'create'))`,
  );
  expect(rows).toEqual([]);
});

test('what the owner lets names mean in its database is not run by the administrator', async () => {
  const { admin, adminUrl, ownerUrl, url } = owned;
  const asOwner = testPool(ownerUrl, 1);
  const folder = tempFolder('logins');
  const name = new URL(ownerUrl).pathname.slice(1);
  try {
    writeFileSync(join(folder.path, 'owner-password'), new URL(ownerUrl).password);
    writeFileSync(join(folder.path, 'app-password'), new URL(url).password);
    await asOwner.query(`create schema evil; create table evil.ran (by name);
      grant usage on schema evil to public; grant insert on evil.ran to public`);
    const names = [
      ...['pg_advisory_lock(bigint)', 'pg_advisory_xact_lock(integer)'],
      ...['pg_has_role(text, text)', 'current_database()', 'format(text, name)', 'format(text, text)'],
    ];
    for (const signature of names) {
      const returns = /^pg_adv/.test(signature) ? 'void' : /^pg_has/.test(signature) ? 'boolean' : 'text';
      await asOwner.query(`create function evil.${signature} returns ${returns} language plpgsql as $$
        begin insert into evil.ran values (current_user); return${returns === 'void' ? '' : ' null'}; end $$`);
    }
    await asOwner.query(`alter database ${name} set search_path = evil, pg_catalog`);
    const logins = await ensureLogins(adminUrl, folder.path);
    expect(logins.url).toBe(url);
    expect((await admin.query('select * from evil.ran')).rows).toEqual([]);
  } finally {
    await asOwner.query(`alter database ${name} reset search_path`);
    await asOwner.end();
    folder.remove();
  }
});
