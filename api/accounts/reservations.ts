import { createHmac } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { forgetExpired } from '#api/http/forget-expired.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { lockUntilCommit } from '#core/postgres/locks.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { slugSkeleton, slugTaken } from '#core/values/slug.ts';

/** What only one account may have. */
export type ReservationKind = 'email' | 'mobile' | 'slug';

/** What is answered to an account that comes second. */
export const takenMessages: Record<ReservationKind, string> = {
  email: "This email's already signed up.",
  mobile: 'This mobile number is already in use',
  slug: slugTaken.title,
};

/** A value reserved for one account. `skeleton`, of a slug alone: the key that it has in common with all that read like it. */
export type Reservation = Readonly<{ kind: ReservationKind; key: Buffer; skeleton?: Buffer }>;

const RESERVED_MS = 15 * 60_000;

type Keys = Pick<Config, 'keys'>;

/** The key of a reservation: an HMAC of the value in its one normal spelling, so that the table holds no personal data. */
export function reservationKey(config: Keys, kind: ReservationKind, normalised: string): Buffer {
  return hmac(config, `${kind}:${normalised}`);
}

/** The reservation of an address: of itself, and against all that read like it. `slug` as `normaliseSlug` writes it. */
export function slugReservation(config: Keys, slug: string): Reservation & Readonly<{ skeleton: Buffer }> {
  const skeleton = hmac(config, `skeleton:${slugSkeleton(slug)}`);
  return { kind: 'slug', key: reservationKey(config, 'slug', slug), skeleton };
}

/** The reservations of what an account has alone; each value as it is normalised. */
export function reservationsOf(
  config: Keys,
  { email, phone, slug }: Readonly<{ email: string; phone: string; slug: string }>,
): Reservation[] {
  return [
    { kind: 'email', key: reservationKey(config, 'email', email) },
    { kind: 'mobile', key: reservationKey(config, 'mobile', phone) },
    slugReservation(config, slug),
  ];
}

/**
 * Reserves all of it for an owner for 15 minutes, or nothing. Answers the kinds that belong to another account; `[]` when
 * all are reserved. What the owner has already stays theirs; what another reserved longer than 15 minutes ago is free.
 */
export async function reserve(
  db: Pool,
  owner: string,
  wanted: readonly Reservation[],
  now: Date,
): Promise<ReservationKind[]> {
  let taken: ReservationKind[] = [];
  await inTransaction(db, async (transaction) => {
    taken = [];
    // Before any row is locked: two that want addresses which read alike wait for each other here.
    for (const { skeleton } of wanted) if (skeleton) await lockSkeleton(transaction, skeleton);
    // One order for all: two that want the same wait for each other instead of deadlocking.
    const inOrder = [...wanted].sort((a, b) => a.kind.localeCompare(b.kind) || a.key.compare(b.key));
    for (const one of inOrder) {
      if (!(await reserveOne(transaction, owner, one, now))) taken.push(one.kind);
    }
    if (taken.length > 0) throw new Taken();
    await forgetExpired(transaction, 'state.reservations', now);
  }).catch((error: unknown) => {
    if (!(error instanceof Taken)) throw error;
  });
  return taken;
}

/**
 * Whether an owner may not have it: another has it for good, released it a while ago or reserves it just now, or, of a slug, has
 * one that reads like it.
 */
export async function isReserved(
  db: Pool,
  { kind, key, skeleton }: Reservation,
  owner: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await db.query(
    `select 1 from state.reservations where kind = $1 and key = $2 and owner <> $3
       and (expires_at is null or expires_at > $4)`,
    [kind, key, owner, now],
  );
  if (rows.length > 0) return true;
  return skeleton !== undefined && (await readsLikeAnothers(db, skeleton, owner, now));
}

/** Whether the owner has it for good, or left it and may come back. */
export async function isOwn(
  db: Pool,
  { kind, key }: Reservation,
  owner: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await db.query(
    `select 1 from state.reservations where kind = $1 and key = $2 and owner = $3 and status <> 'held'
       and (expires_at is null or expires_at > $4)`,
    [kind, key, owner, now],
  );
  return rows.length > 0;
}

/** The events stand: these reservations are the owner's for good, and what else was held under an earlier name is free. */
export async function keep(db: Pool, owner: string, reservations: readonly Reservation[]): Promise<void> {
  const keys = reservations.map(({ key }) => key);
  await db.query(`delete from state.reservations where owner = $1 and status = 'held' and key <> all($2)`, [
    owner,
    keys,
  ]);
  // In the order of `reserve`: the worker finishes a registration at the same time, and each would wait for the other.
  await db.query(
    `with own as (
       select kind, key from state.reservations where owner = $1 and status = 'held' order by kind, key for update
     )
     update state.reservations kept set status = 'kept', expires_at = null
     from own where kept.kind = own.kind and kept.key = own.key`,
    [owner],
  );
}

/**
 * The log says that this one of its kind is the owner's: it is for good, also where it was not reserved any more, and the
 * others that the owner had are released. Where another account has it by now nothing changes, so that the owner goes on
 * with the one before.
 */
export async function settle(
  db: Pool | PoolClient,
  owner: string,
  { kind, key, skeleton }: Reservation,
  until: Date | null,
): Promise<void> {
  const { rowCount } = await db.query(
    `insert into state.reservations as had (kind, key, skeleton, owner, status) values ($1, $2, $4, $3, 'kept')
     on conflict (kind, key) do update set status = 'kept', expires_at = null where had.owner = excluded.owner`,
    [kind, key, owner, skeleton ?? null],
  );
  if (rowCount === 1) await release(db, owner, { kind, key }, until);
}

/** Gives up what an owner has of a kind but this one: at once, or its own to come back to `until` then. */
async function release(
  db: Pool | PoolClient,
  owner: string,
  { kind, key }: Reservation,
  until: Date | null,
): Promise<void> {
  const text =
    until === null
      ? `delete from state.reservations where kind = $1 and owner = $2 and key <> $3 and status = 'kept'`
      : `update state.reservations set status = 'left', expires_at = $4
         where kind = $1 and owner = $2 and key <> $3 and status = 'kept'`;
  await db.query(text, [kind, owner, key, ...(until === null ? [] : [until])]);
}

/** The business whose address this is or was, until it is free for others; null when no business has it. */
export async function findSlugOwner(db: Pool, key: Buffer, now: Date): Promise<string | null> {
  const { rows } = await db.query<{ business_id: string }>(
    `select business_id from state.reservations join state.credentials on account_id = owner
     where kind = 'slug' and key = $1 and status <> 'held' and (expires_at is null or expires_at > $2)`,
    [key, now],
  );
  return rows[0]?.business_id ?? null;
}

/** How many slugs besides `wanted` an owner released that are not free for others yet. */
export async function countReleased(db: Pool, owner: string, wanted: Buffer, now: Date): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::integer as n from state.reservations
     where kind = 'slug' and owner = $1 and status = 'left' and key <> $2 and expires_at > $3`,
    [owner, wanted, now],
  );
  return rows[0]?.n ?? 0;
}

/** Rolls the transaction back; never leaves this file. */
class Taken extends Error {}

function hmac({ keys }: Keys, text: string): Buffer {
  return createHmac('sha256', keys.claim).update(text).digest();
}

async function lockSkeleton(db: PoolClient, skeleton: Buffer): Promise<void> {
  await lockUntilCommit(db, `skeleton ${skeleton.toString('hex')}`);
}

/** Whether another has, left a while ago or reserves just now an address with this skeleton. */
async function readsLikeAnothers(
  db: Pool | PoolClient,
  skeleton: Buffer,
  owner: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await db.query(
    `select 1 from state.reservations where skeleton = $1 and owner <> $2 and (expires_at is null or expires_at > $3)
     limit 1`,
    [skeleton, owner, now],
  );
  return rows.length > 0;
}

async function reserveOne(
  db: PoolClient,
  owner: string,
  { kind, key, skeleton }: Reservation,
  now: Date,
): Promise<boolean> {
  if (skeleton && (await readsLikeAnothers(db, skeleton, owner, now))) return false;
  const { rowCount } = await db.query(
    `insert into state.reservations as had (kind, key, skeleton, owner, status, expires_at)
     values ($1, $2, $6, $3, 'held', $4)
     on conflict (kind, key) do update set
       owner = excluded.owner,
       skeleton = excluded.skeleton,
       status = case when had.status <> 'held' and coalesce(had.expires_at > $5, true)
         then had.status else excluded.status end,
       expires_at = case when had.status <> 'held' and coalesce(had.expires_at > $5, true)
         then had.expires_at else excluded.expires_at end
     where had.owner = excluded.owner or had.expires_at <= $5`,
    [kind, key, owner, new Date(now.getTime() + RESERVED_MS), now, skeleton ?? null],
  );
  return rowCount === 1;
}
