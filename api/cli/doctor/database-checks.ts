import type { Pool } from 'pg';
import { listUnfinished } from '#api/backup/after-pitr.ts';
import { readBackupAges } from '#api/http/health/readiness.ts';
import { outboxFigures } from '#api/outbox/delivery-status.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { isHere } from '#api/runtime/config/production.ts';
import { excessOf } from '#api/runtime/postgres/logins.ts';
import { differingSettings } from '#core/postgres/session.ts';
import { sessionSetting } from '#core/postgres/settings.ts';
import { MigrationError, missingMigrations, readPostgresVersion, tooOldPostgres } from '#migrations/run.ts';
import type { Check, Outcome } from './finding.ts';

const extensions = ['pg_trgm', 'btree_gin'];
/** How far two clocks may be apart, in milliseconds, before codes and links end early or late. */
const SKEW = { warning: 2_000, wrong: 30_000 };
/** For how long a message may wait, in seconds. */
const WAITED = { warning: 300, wrong: 3_600 };

type Looking = Readonly<{ db: Pool; config: Config; now(): Date }>;

/** What one database says of its server, its rights, its clock and its outbox. Changes nothing. */
export function databaseChecks({ db, config, now }: Looking): Check[] {
  return [
    { name: 'database', look: () => version(db) },
    { name: 'settings', look: () => settingsOf(db) },
    { name: 'extensions', look: () => extensionsOf(db) },
    { name: 'migrations', look: () => migrationsOf(db) },
    { name: 'rights', look: () => rights(db, config) },
    { name: 'database TLS', look: () => encryption(db, config) },
    { name: 'clock', look: () => clock(db, now) },
    { name: 'clock jumps', look: () => clockWitness(db, now()) },
    { name: 'outbox', look: () => outbox(db, now()) },
    { name: 'accounts', look: () => accounts(db) },
    { name: 'backup', look: () => backup(db, config, now()) },
  ];
}

async function version(db: Pool): Promise<Outcome> {
  const found = await readPostgresVersion(db);
  const tooOld = tooOldPostgres(found);
  return tooOld ? ['wrong', `${tooOld}: move the database there`] : ['ok', `Postgres ${found.name}`];
}

async function settingsOf(db: Pool): Promise<readonly Outcome[]> {
  const names = await differingSettings(db);
  if (names.length === 0) return [['ok', 'every setting that Ute relies on is as it sets it']];
  return names.map((name) => {
    if (name === sessionSetting)
      return ['wrong', 'a pooler gives the statements of one session to another: let it keep sessions whole'];
    return [
      'wrong',
      `${name} is not what Ute relies on, and its login may not set it: ${remedies[name] ?? otherwise}`,
    ];
  });
}

/** What to do about the settings of a server that is no other one by a statement. */
const remedies: Readonly<Record<string, string>> = {
  in_hot_standby: 'give DATABASE_URL the address of the primary',
  server_encoding: "move the database to one with encoding 'UTF8'",
};
const otherwise =
  'let an administrator reset it (alter role … reset, alter database … reset), then restart Ute';

async function extensionsOf(db: Pool): Promise<Outcome> {
  const { rows } = await db.query<{ name: string }>('select extname as name from pg_catalog.pg_extension');
  const missing = extensions.filter((one) => !rows.some(({ name }) => name === one));
  if (missing.length === 0) return ['ok', `has ${extensions.join(' and ')}`];
  return [
    'wrong',
    `lacks the extension ${missing.join(' and ')}: run ute migrate with the owner's login (MIGRATION_DATABASE_URL)`,
  ];
}

async function migrationsOf(db: Pool): Promise<Outcome> {
  let missing: string[];
  try {
    missing = await missingMigrations(db);
  } catch (error) {
    if (error instanceof MigrationError) return ['wrong', error.message];
    throw error;
  }
  const [first, ...more] = missing;
  if (first === undefined) return ['ok', 'none is missing'];
  const others = more.length > 0 ? ` and ${more.length} more` : '';
  return [
    'wrong',
    `${first}${others} is missing: run ute migrate with the owner's login (MIGRATION_DATABASE_URL)`,
  ];
}

/** The login is no more than the application's, and may change nothing of the log. */
async function rights(db: Pool, { environment, migrationDatabaseUrl }: Config): Promise<Outcome> {
  const excess = await excessOf(db);
  // A list of privileges asks for any of them.
  const { rows } = await db.query<{ may: boolean }>(
    "select has_table_privilege('event_store.events', 'update, delete, truncate') as may",
  );
  const remedy =
    'let an administrator run api/runtime/postgres/roles.sql, and give DATABASE_URL the login ute_app';
  if (rows[0]?.may !== false) return ['wrong', `the product may change or delete events: ${remedy}`];
  if (excess === null) return ['ok', 'the login reads and adds to the log, no more'];
  const isStrict = environment === 'production' || migrationDatabaseUrl !== undefined;
  return [isStrict ? 'wrong' : 'warning', `the login of DATABASE_URL is ${excess}: ${remedy}`];
}

async function encryption(db: Pool, { databaseUrl }: Config): Promise<Outcome> {
  const url = URL.parse(databaseUrl ?? '');
  const host = url?.searchParams.get('host') ?? url?.hostname ?? '';
  const { rows } = await db.query<{ ssl: boolean }>(
    'select ssl from pg_catalog.pg_stat_ssl where pid = pg_backend_pid()',
  );
  if (rows[0]?.ssl) return ['ok', 'the connection is encrypted'];
  if (isHere(host)) return ['ok', 'not encrypted, and on this machine'];
  return ['warning', 'the connection is not encrypted: add sslmode=verify-full to DATABASE_URL'];
}

async function clock(db: Pool, now: () => Date): Promise<Outcome> {
  const before = now().getTime();
  const { rows } = await db.query<{ at: Date }>('select clock_timestamp() as at');
  const theirs = rows[0]?.at.getTime() ?? 0;
  return skewOutcome('the database', skewOf([theirs, theirs], [before, now().getTime()]));
}

type Span = readonly [from: number, to: number];

/**
 * By how many milliseconds a clock that said some moment of `theirs` is ahead of ours, by which it was asked and had answered: 0
 * where that alone can be why they differ.
 */
export function skewOf(theirs: Span, ours: Span): number {
  return Math.max(0, theirs[0] - ours[1]) - Math.max(0, ours[0] - theirs[1]);
}

/** Nothing is erased for a day after the clock jumped (decision 122). */
async function clockWitness(db: Pool, now: Date): Promise<Outcome> {
  const { rows } = await db.query<{ until: Date | null }>(
    'select rests_until as until from state.clock_seen',
  );
  const [noted] = rows;
  if (!noted) return ['ok', 'the clock was not compared yet: a worker does so before it erases'];
  if (noted.until === null || noted.until <= now)
    return ['ok', 'the clock has not jumped, and erasures go on'];
  return [
    'warning',
    `the clock jumped, and nothing is erased until ${noted.until.toISOString()}: see that NTP runs; what is due waits`,
  ];
}

/** What to say of a clock that is `skew` milliseconds ahead of ours. */
export function skewOutcome(whose: string, skew: number): Outcome {
  const apart = Math.abs(skew);
  if (apart <= SKEW.warning) return ['ok', `agrees with that of ${whose}`];
  const state = apart > SKEW.wrong ? 'wrong' : 'warning';
  const seconds = Math.round(apart / 1_000);
  return [state, `${seconds} s ${skew > 0 ? 'behind' : 'ahead of'} that of ${whose}: set both by NTP`];
}

/** The log that was restored may be newer than the passwords and reservations beside it. */
async function accounts(db: Pool): Promise<Outcome> {
  const [first, ...more] = await listUnfinished(db);
  if (first === undefined) return ['ok', 'each has its password, email and mobile'];
  const others = more.length > 0 ? ` and ${more.length} more` : '';
  return [
    'wrong',
    `no one can sign in to ${first}${others}: the log has more than the state that was restored with it`,
  ];
}

async function outbox(db: Pool, now: Date): Promise<readonly Outcome[]> {
  const { waiting, dead, oldestWaitingSeconds } = await outboxFigures(db, now);
  const waited = Math.round(oldestWaitingSeconds);
  const found: Outcome[] = [];
  if (dead > 0)
    found.push([
      'wrong',
      `${dead} could not be sent: ute outbox list says why, ute outbox retry tries again`,
    ]);
  if (waited > WAITED.warning)
    found.push([
      waited > WAITED.wrong ? 'wrong' : 'warning',
      `${waiting === 1 ? 'a message' : `the oldest of ${waiting} messages`} waits for ${waited} s: see that a worker runs and its provider answers`,
    ]);
  return found.length > 0
    ? found
    : [['ok', `${waiting} ${waiting === 1 ? 'message waits' : 'messages wait'}, none is dead`]];
}

/** When the last backup was taken and tried, and when the keys on paper were last compared. To be worried about in production alone. */
async function backup(
  db: Pool,
  { environment, backup: { to } }: Config,
  now: Date,
): Promise<readonly Outcome[]> {
  const { log, paper, verified, isOld, failed } = await readBackupAges(db, now);
  const worry = environment === 'production' ? 'warning' : 'ok';
  const found: Outcome[] = [];
  if (log === null)
    found.push([
      worry,
      to === null
        ? 'no backup: set BACKUP_TO and BACKUP_RECIPIENT, onto another disk or into a bucket'
        : 'no backup yet: see that a worker runs',
    ]);
  else
    found.push([
      isOld ? 'warning' : 'ok',
      `the last one reaches to ${log.toISOString()}${isOld ? ': see that a worker runs with BACKUP_TO, or ute backup' : ''}`,
    ]);
  if (failed)
    found.push(['warning', `none could be written since ${failed.since.toISOString()}: ${failed.reason}`]);
  if (log !== null)
    found.push([
      'ok',
      verified
        ? `a restore was last tried on ${verified.toISOString().slice(0, 10)}`
        : 'a restore was never tried: ute restore --verify, where the identity is',
    ]);
  found.push(
    paper === null
      ? [worry, 'the keys on paper were never compared: ute keys print, then ute keys confirm']
      : ['ok', `the keys on paper were compared on ${paper.toISOString().slice(0, 10)}`],
  );
  return found;
}
