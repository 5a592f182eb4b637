import { createHmac } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { Config } from '#api/config.ts';
import { forgetExpired } from '#api/http/forget-expired.ts';
import { inTransaction } from '#api/http/transaction.ts';
import { slugTaken } from '#core/values/slug.ts';
import { slugSkeleton } from '#core/values/slug-skeleton.ts';

/** What only one account may have. */
export type ClaimKind = 'email' | 'mobile' | 'slug';

/** What is told to somebody who comes second. */
export const takenMessages: Record<ClaimKind, string> = {
  email: "This email's already signed up.",
  mobile: 'This mobile number is already in use',
  slug: slugTaken.title,
};

/** `skeleton`, of a slug alone: the key that it has in common with all that read like it. */
export type Claim = Readonly<{ kind: ClaimKind; key: Buffer; skeleton?: Buffer }>;

const HOLD_MS = 15 * 60_000;

type Keys = Pick<Config, 'keys'>;

/** The key of a claim: an HMAC of the value in its one normal spelling, so that the table holds no personal data. */
export function claimKey(config: Keys, kind: ClaimKind, normalised: string): Buffer {
  return hmac(config, `${kind}:${normalised}`);
}

/** The claim on an address: on itself, and against all that read like it. `slug` as `normaliseSlug` writes it. */
export function slugClaim(config: Keys, slug: string): Claim & Readonly<{ skeleton: Buffer }> {
  const skeleton = hmac(config, `skeleton:${slugSkeleton(slug)}`);
  return { kind: 'slug', key: claimKey(config, 'slug', slug), skeleton };
}

/**
 * Holds all claims for an owner for 15 minutes, or none. Answers the kinds that belong to somebody else; `[]` when
 * all are held. What the owner has already stays theirs; what another held longer than 15 minutes ago is free.
 */
export async function holdClaims(
  db: Pool,
  owner: string,
  claims: readonly Claim[],
  now: Date,
): Promise<ClaimKind[]> {
  const taken: ClaimKind[] = [];
  await inTransaction(db, async (transaction) => {
    // Before any row is locked: two that want addresses which read alike wait for each other here.
    for (const { skeleton } of claims) if (skeleton) await lockSkeleton(transaction, skeleton);
    // One order for everybody: two that want the same claims wait for each other instead of deadlocking.
    const inOrder = [...claims].sort((a, b) => a.kind.localeCompare(b.kind) || a.key.compare(b.key));
    for (const claim of inOrder) {
      if (!(await hold(transaction, owner, claim, now))) taken.push(claim.kind);
    }
    if (taken.length > 0) throw new Taken();
    await forgetExpired(transaction, 'state.claims', now);
  }).catch((error: unknown) => {
    if (!(error instanceof Taken)) throw error;
  });
  return taken;
}

/**
 * Whether an owner may not have it: another has it for good, left it a while ago or holds it just now, or, of a slug, has
 * one that reads like it.
 */
export async function isClaimed(db: Pool, claim: Claim, owner: string, now: Date): Promise<boolean> {
  const { kind, key, skeleton } = claim;
  const { rows } = await db.query(
    `select 1 from state.claims where kind = $1 and key = $2 and owner <> $3
       and (expires_at is null or expires_at > $4)`,
    [kind, key, owner, now],
  );
  if (rows.length > 0) return true;
  return skeleton !== undefined && (await readsLikeAnothers(db, { key, skeleton }, owner, now));
}

/** Whether the owner has it for good, or left it and may come back. */
export async function isOwn(db: Pool, { kind, key }: Claim, owner: string, now: Date): Promise<boolean> {
  const { rows } = await db.query(
    `select 1 from state.claims where kind = $1 and key = $2 and owner = $3 and standing <> 'held'
       and (expires_at is null or expires_at > $4)`,
    [kind, key, owner, now],
  );
  return rows.length > 0;
}

/** The events stand: the owner's held claims stay theirs. */
export async function keepClaims(db: Pool, owner: string): Promise<void> {
  await db.query(
    `update state.claims set standing = 'kept', expires_at = null where owner = $1 and standing = 'held'`,
    [owner],
  );
}

/** The same for these claims alone: whatever else the owner held, under an earlier name, is free again. */
export async function keepOnly(db: Pool, owner: string, claims: readonly Claim[]): Promise<void> {
  const keys = claims.map(({ key }) => key);
  await db.query(`delete from state.claims where owner = $1 and standing = 'held' and key <> all($2)`, [
    owner,
    keys,
  ]);
  await keepClaims(db, owner);
}

/** The owner's slug from now on is `present`: the others that it kept are left, its own to come back to, `until` then. */
export async function leaveSlugs(
  db: Pool | PoolClient,
  { owner, present, until }: Readonly<{ owner: string; present: Buffer; until: Date }>,
): Promise<void> {
  await db.query(
    `update state.claims set
       standing = case when key = $2 then 'kept' else 'left' end,
       expires_at = case when key = $2 then null else $3::timestamptz end
     where owner = $1 and kind = 'slug' and (key = $2 or standing = 'kept')`,
    [owner, present, until],
  );
}

/** The business whose address this is or was, until it is free for others; null when nobody has it. */
export async function findSlugOwner(db: Pool, key: Buffer, now: Date): Promise<string | null> {
  const { rows } = await db.query<{ business_id: string }>(
    `select business_id from state.claims join state.credentials on account_id = owner
     where kind = 'slug' and key = $1 and standing <> 'held' and (expires_at is null or expires_at > $2)`,
    [key, now],
  );
  return rows[0]?.business_id ?? null;
}

/** Rolls the transaction back; never leaves this file. */
class Taken extends Error {}

function hmac({ keys }: Keys, text: string): Buffer {
  return createHmac('sha256', keys.claim).update(text).digest();
}

async function lockSkeleton(db: PoolClient, skeleton: Buffer): Promise<void> {
  await db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `skeleton ${skeleton.toString('hex')}`,
  ]);
}

/** An address that is the owner's already is never refused: it may be one of a pair that is older than this rule. */
async function readsLikeAnothers(
  db: Pool | PoolClient,
  { key, skeleton }: Readonly<{ key: Buffer; skeleton: Buffer }>,
  owner: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await db.query(
    `select 1 from state.claims where kind = 'slug' and skeleton = $1 and owner <> $2
       and (expires_at is null or expires_at > $3)
       and not exists (select from state.claims own where own.kind = 'slug' and own.key = $4 and own.owner = $2
         and own.standing <> 'held' and (own.expires_at is null or own.expires_at > $3))
     limit 1`,
    [skeleton, owner, now, key],
  );
  return rows.length > 0;
}

async function hold(db: PoolClient, owner: string, claim: Claim, now: Date): Promise<boolean> {
  const { kind, key, skeleton } = claim;
  if (skeleton && (await readsLikeAnothers(db, { key, skeleton }, owner, now))) return false;
  const { rowCount } = await db.query(
    `insert into state.claims as had (kind, key, skeleton, owner, standing, expires_at)
     values ($1, $2, $6, $3, 'held', $4)
     on conflict (kind, key) do update set
       owner = excluded.owner,
       skeleton = excluded.skeleton,
       standing = case when had.standing <> 'held' and coalesce(had.expires_at > $5, true)
         then had.standing else excluded.standing end,
       expires_at = case when had.standing <> 'held' and coalesce(had.expires_at > $5, true)
         then had.expires_at else excluded.expires_at end
     where had.owner = excluded.owner or had.expires_at <= $5`,
    [kind, key, owner, new Date(now.getTime() + HOLD_MS), now, skeleton ?? null],
  );
  return rowCount === 1;
}
