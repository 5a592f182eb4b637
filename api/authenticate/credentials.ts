import type { Pool } from 'pg';

export type Credential = Readonly<{ accountId: string; businessId: string; hash: string }>;

/** The credential of the account that has an email for good, found by its claim; never through a read model. */
export async function findCredential(db: Pool, emailKey: Buffer): Promise<Credential | null> {
  const { rows } = await db.query<{ account_id: string; business_id: string; hash: string }>({
    name: 'find-credential',
    text: `select c.account_id, c.business_id, c.hash from state.claims k
           join state.credentials c on c.account_id = k.owner
           where k.kind = 'email' and k.key = $1 and k.standing = 'kept'`,
    values: [emailKey],
  });
  const row = rows[0];
  return row ? { accountId: row.account_id, businessId: row.business_id, hash: row.hash } : null;
}

/** Gives an account its first password; the same again changes nothing. */
export async function createCredential(db: Pool, credential: Credential, now: Date): Promise<void> {
  await db.query(
    `insert into state.credentials (account_id, business_id, hash, changed_at) values ($1, $2, $3, $4)
     on conflict (account_id) do nothing`,
    [credential.accountId, credential.businessId, credential.hash, now],
  );
}

/** The same password hashed with more work, unless it was changed meanwhile. */
export async function renewHash(db: Pool, { accountId, hash }: Credential, renewed: string): Promise<void> {
  await db.query('update state.credentials set hash = $3 where account_id = $1 and hash = $2', [
    accountId,
    hash,
    renewed,
  ]);
}
