import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { forgetExpired } from '#api/http/forget-expired.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { open, seal } from '#core/event-store/sealed.ts';

export type ContactKind = 'email' | 'mobile';

/** How long a new address may take to confirm itself, in milliseconds. */
export const contactChangeLife: Readonly<Record<ContactKind, number>> = {
  email: 60 * 60_000,
  mobile: 10 * 60_000,
};

/** An email or mobile that an account is to have once its owner has confirmed it. */
export type ContactChange = Readonly<{
  changeId: string;
  accountId: string;
  kind: ContactKind;
  /** Normalised email, or E.164. */
  value: string;
  expiresAt: Date;
}>;

type Row = Readonly<{
  change_id: string;
  account_id: string;
  kind: ContactKind;
  sealed: Buffer;
  expires_at: Date;
}>;

const COLUMNS = 'change_id, account_id, kind, sealed, expires_at';

/** Begins a change; the one of the same kind that was waiting is dropped. The value is stored sealed. */
export async function beginContactChange(
  db: Pool | PoolClient,
  keys: Config['keys'],
  change: ContactChange,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into state.contact_changes (account_id, kind, change_id, sealed, expires_at) values ($1, $2, $3, $4, $5)
     on conflict (account_id, kind) do update set change_id = excluded.change_id, sealed = excluded.sealed,
       expires_at = excluded.expires_at, secret_hash = null, tries = 0`,
    [change.accountId, change.kind, change.changeId, sealValue(keys, change), change.expiresAt],
  );
  await forgetExpired(db, 'state.contact_changes', now);
}

/** What waits for its owner's word at `now`; null when it is over, confirmed or replaced. */
export async function findContactChange(
  db: Pool,
  keys: Config['keys'],
  changeId: string,
  now: Date,
): Promise<ContactChange | null> {
  const { rows } = await db.query<Row>(
    `select ${COLUMNS} from state.contact_changes where change_id = $1 and expires_at > $2`,
    [changeId, now],
  );
  return rows[0] ? changeOf(keys, rows[0]) : null;
}

/** Everything that an account waits for. */
export async function contactChangesOf(
  db: Pool,
  keys: Config['keys'],
  accountId: string,
  now: Date,
): Promise<ContactChange[]> {
  const { rows } = await db.query<Row>(
    `select ${COLUMNS} from state.contact_changes where account_id = $1 and expires_at > $2`,
    [accountId, now],
  );
  return rows.map((row) => changeOf(keys, row));
}

/** Which secret confirms a change; only its hash is stored. */
export async function expectSecret(db: Pool, changeId: string, secret: string): Promise<void> {
  await db.query('update state.contact_changes set secret_hash = $2 where change_id = $1', [
    changeId,
    secretHash(secret),
  ]);
}

/** The change that a secret of 256 bits confirms. */
export async function changeOfSecret(
  db: Pool,
  keys: Config['keys'],
  { kind, secret }: Readonly<{ kind: ContactKind; secret: string }>,
  now: Date,
): Promise<ContactChange | null> {
  const { rows } = await db.query<Row>(
    `select ${COLUMNS} from state.contact_changes where secret_hash = $1 and kind = $2 and expires_at > $3`,
    [secretHash(secret), kind, now],
  );
  return rows[0] ? changeOf(keys, rows[0]) : null;
}

/** A change is done: its secret is dead. */
export async function endContactChange(db: Pool, changeId: string): Promise<void> {
  await db.query('delete from state.contact_changes where change_id = $1', [changeId]);
}

/** Drops what an account waits for: links and codes that were sent for it are dead. */
export async function voidContactChanges(
  db: Pool | PoolClient,
  accountId: string,
  kind?: ContactKind,
): Promise<void> {
  await db.query(
    'delete from state.contact_changes where account_id = $1 and ($2::text is null or kind = $2)',
    [accountId, kind ?? null],
  );
}

/**
 * Counts a try at the secret of what an account waits for, then says whether it was right: null when it was not, or
 * when `mostTries` were wrong before it, whatever this one is.
 */
export async function trySecret(
  db: Pool,
  keys: Config['keys'],
  tried: Readonly<{
    accountId: string;
    kind: ContactKind;
    secret: (changeId: string) => string;
    mostTries: number;
  }>,
  now: Date,
): Promise<ContactChange | null> {
  const { rows } = await db.query<Row & { secret_hash: Buffer | null }>(
    `update state.contact_changes set tries = tries + 1
     where account_id = $1 and kind = $2 and expires_at > $3 and tries < $4 returning ${COLUMNS}, secret_hash`,
    [tried.accountId, tried.kind, now, tried.mostTries],
  );
  const row = rows[0];
  if (!row?.secret_hash) return null;
  const isRight = timingSafeEqual(secretHash(tried.secret(row.change_id)), row.secret_hash);
  return isRight ? changeOf(keys, row) : null;
}

function changeOf(keys: Config['keys'], row: Row): ContactChange {
  const { change_id: changeId, account_id: accountId, kind, sealed, expires_at: expiresAt } = row;
  return { changeId, accountId, kind, expiresAt, value: openValue(keys, changeId, sealed) };
}

function sealValue(keys: Config['keys'], { changeId, value }: ContactChange): Buffer {
  const { iv, tag, ct } = seal(keyOf(keys), Buffer.from(value, 'utf8'), changeId);
  return Buffer.concat([iv, tag, ct]);
}

function openValue(keys: Config['keys'], changeId: string, sealed: Buffer): string {
  const [iv, tag, ct] = [sealed.subarray(0, 12), sealed.subarray(12, 28), sealed.subarray(28)];
  return open(keyOf(keys), { iv, tag, ct }, changeId).toString('utf8');
}

function keyOf({ data }: Config['keys']): Buffer {
  return Buffer.from(hkdfSync('sha256', data, '', 'contact change', 32));
}

function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
