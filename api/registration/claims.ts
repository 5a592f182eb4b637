import { createHmac } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { Config } from '../config.ts';
import { forgetExpired } from '../http/forget-expired.ts';
import { inTransaction } from '../http/transaction.ts';

/** What only one account may have. */
export type ClaimKind = 'email' | 'mobile' | 'slug';

export type Claim = Readonly<{ kind: ClaimKind; key: Buffer }>;

const HOLD_MS = 15 * 60_000;

/** The key of a claim: an HMAC of the value in its one normal spelling, so that the table holds no personal data. */
export function claimKey(config: Pick<Config, 'keys'>, kind: ClaimKind, normalised: string): Buffer {
  return createHmac('sha256', config.keys.claim).update(`${kind}:${normalised}`).digest();
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

/** The events stand: the owner's held claims stay theirs. */
export async function keepClaims(db: Pool, owner: string): Promise<void> {
  await db.query(
    `update state.claims set standing = 'kept', expires_at = null where owner = $1 and standing = 'held'`,
    [owner],
  );
}

/** Rolls the transaction back; never leaves this file. */
class Taken extends Error {}

async function hold(db: PoolClient, owner: string, { kind, key }: Claim, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into state.claims as had (kind, key, owner, standing, expires_at) values ($1, $2, $3, 'held', $4)
     on conflict (kind, key) do update set
       owner = excluded.owner,
       expires_at = case when had.standing = 'kept' then null else excluded.expires_at end
     where had.owner = excluded.owner or had.expires_at <= $5`,
    [kind, key, owner, new Date(now.getTime() + HOLD_MS), now],
  );
  return rowCount === 1;
}
