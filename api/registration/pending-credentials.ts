import type { Pool } from 'pg';
import { forgetExpired } from '#api/http/forget-expired.ts';

/** Keeps the hash of a password until its account is open, or the draft's days are over. Another one replaces it. */
export async function keepPendingCredential(
  db: Pool,
  registrationId: string,
  { hash, expiresAt }: Readonly<{ hash: string; expiresAt: Date }>,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into state.pending_credentials (registration_id, hash, expires_at) values ($1, $2, $3)
     on conflict (registration_id) do update set hash = excluded.hash`,
    [registrationId, hash, expiresAt],
  );
  await forgetExpired(db, 'state.pending_credentials', now);
}

/** The hash that waits for a registration's account; null when there is none, or it has moved there. */
export async function pendingHash(db: Pool, registrationId: string): Promise<string | null> {
  const { rows } = await db.query<{ hash: string }>(
    'select hash from state.pending_credentials where registration_id = $1',
    [registrationId],
  );
  return rows[0]?.hash ?? null;
}

/** The account has its password now. */
export async function dropPendingCredential(db: Pool, registrationId: string): Promise<void> {
  await db.query('delete from state.pending_credentials where registration_id = $1', [registrationId]);
}
