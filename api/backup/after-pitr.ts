import type { Pool, PoolClient } from 'pg';
import { continueLog, type PublishedCheckpoint, restoredLog } from '#api/proof/restored-log.ts';
import { subjectsOf } from '#core/event-store/personal-fields.ts';
import { type Position, START } from '#core/event-store/port.ts';
import type { RawLog } from '#core/event-store/raw-log.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { listOwners } from '#projections/accounts/read.ts';
import { storeKeys } from './keys-part.ts';
import { holdWaiting } from './load-state.ts';
import type { StoredObject } from './objects.ts';

/** Events of one read. */
const PAGE = 4_000;

export type ReturnedDatabase = Readonly<{
  pool: Pool;
  log: RawLog;
  /** Checkpoints that are out, and the keys that sign them, the newest first (32 bytes each). */
  published: readonly PublishedCheckpoint[];
  logKeys: readonly Buffer[];
  /** The newest keys of a backup, which go over those that came back; null without a backup. */
  keys: Readonly<{ objects: readonly StoredObject[]; lines(object: StoredObject): Promise<string[]> }> | null;
  /** How many people of the ledger the database has again, keys included. */
  countReturned(db: PoolClient): Promise<number>;
  now: Date;
  signal: AbortSignal;
}>;

/** What a point-in-time restore of Postgres left behind, counted. */
export type Returned = Readonly<{
  /** Events that a checkpoint had which is out. */
  lost: number;
  /** People of whom the log speaks and for whom there is no key, so that nothing of them can be read. */
  keyless: number;
  /** Messages that waited at that moment, and may have gone out since. */
  waiting: number;
  sessions: number;
  /** Links and codes that may have been used since. */
  links: number;
  /** Accounts without a password, or without their email or mobile reserved: of a log that is newer than the database. */
  unfinished: number;
  /** People of the ledger of whom something is there again. */
  returned: number;
}>;

class RolledBack extends Error {}

/**
 * Makes a database whole that its operator took back to an earlier moment: what waited is not sent, what followed is not queued again,
 * sessions and links end, and a log that lost events goes on under an epoch that says so. All in one transaction, which is rolled back for
 * `isDry`: the counts are those of the real run. The ledger is applied by the caller, after it. Throws UnfitLogError for a log that is
 * not the beginning of the published one.
 */
export async function mendAfterPitr(database: ReturnedDatabase, isDry: boolean): Promise<Returned> {
  const { pool, log, published, signal } = database;
  const restored = await restoredLog(log, published, signal);
  const subjects = await subjectsIn(log, signal);
  const head = await log.head();
  let found: Returned | undefined;
  await inTransaction(pool, async (db) => {
    for (const object of database.keys?.objects ?? [])
      await storeKeys(db, (await database.keys?.lines(object)) ?? []);
    found = {
      lost: await continueLog(db, published, restored, { ...database, at: database.now }),
      keyless: await countKeyless(db, subjects),
      waiting: await holdWaiting(db, head, 'at the moment that the database was taken back to'),
      sessions: await count(db, 'delete from state.sessions'),
      links: await endLinks(db),
      unfinished: (await listUnfinished(db)).length,
      returned: await database.countReturned(db),
    };
    if (isDry) throw new RolledBack();
  }).catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
  return found as Returned;
}

async function subjectsIn(log: RawLog, signal: AbortSignal): Promise<Set<string>> {
  const subjects = new Set<string>();
  for (let after: Position = START; ; ) {
    signal.throwIfAborted();
    const page = await log.readAll(after, PAGE);
    for (const subject of subjectsOf(page)) subjects.add(subject);
    if (page.length === 0) return subjects;
    after = page.at(-1)?.position ?? after;
  }
}

async function countKeyless(db: PoolClient, subjects: ReadonlySet<string>): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from unnest($1::text[]) as named (subject)
     where not exists (select from state.subject_keys known where known.subject = named.subject)`,
    [[...subjects]],
  );
  return rows[0]?.n ?? 0;
}

async function endLinks(db: PoolClient): Promise<number> {
  let ended = 0;
  for (const table of ['reset_tokens', 'contact_changes', 'email_confirmations'])
    ended += await count(db, `delete from state.${table}`);
  return ended;
}

/** Ids of the accounts without a password, or without their email or mobile reserved: no one can sign in to them. */
export async function listUnfinished(db: Pool | PoolClient): Promise<string[]> {
  const unfinished: string[] = [];
  for (let after = ''; ; ) {
    const owners = (await listOwners(db, after, PAGE)).map(({ accountId }) => accountId);
    const { rows } = await db.query<{ id: string }>(
      `select id from unnest($1::uuid[]) as account (id)
       where not exists (select from state.credentials where account_id = account.id)
         or (select count(distinct kind) from state.reservations
             where owner = account.id and kind in ('email', 'mobile') and status = 'kept') < 2`,
      [owners],
    );
    unfinished.push(...rows.map(({ id }) => id));
    if (owners.length < PAGE) return unfinished;
    after = owners.at(-1) ?? after;
  }
}

async function count(db: PoolClient, text: string): Promise<number> {
  return (await db.query(text)).rowCount ?? 0;
}
