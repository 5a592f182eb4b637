import type { Pool, PoolClient } from 'pg';

/** `hash` is a PHC string; `setAt` is when the password was chosen, which a mere renewal of its hash does not move. */
export type Credential = Readonly<{ accountId: string; businessId: string; hash: string; setAt: Date }>;

const COLUMNS = 'c.account_id as "accountId", c.business_id as "businessId", c.hash, c.changed_at as "setAt"';

/** The credential of the account that has an email for good, found by its reservation; never through a read model. */
export async function findCredential(db: Pool, emailKey: Buffer): Promise<Credential | null> {
  const { rows } = await db.query<Credential>({
    name: 'find-credential',
    text: `select ${COLUMNS} from state.reservations k
           join state.credentials c on c.account_id = k.owner
           where k.kind = 'email' and k.key = $1 and k.status = 'kept'`,
    values: [emailKey],
  });
  return rows[0] ?? null;
}

/** The credential of an account. */
export async function credentialOf(db: Pool, accountId: string): Promise<Credential | null> {
  const { rows } = await db.query<Credential>(
    `select ${COLUMNS} from state.credentials c where c.account_id = $1`,
    [accountId],
  );
  return rows[0] ?? null;
}

/** The key of the email that an account has for good; null while it has none. */
export async function emailKeyOf(db: Pool, accountId: string): Promise<Buffer | null> {
  const { rows } = await db.query<{ key: Buffer }>(
    `select key from state.reservations where owner = $1 and kind = 'email' and status = 'kept'`,
    [accountId],
  );
  return rows[0]?.key ?? null;
}

/** Gives an account its first password; the same again changes nothing. */
export async function createCredential(
  db: Pool,
  { accountId, businessId, hash }: Omit<Credential, 'setAt'>,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into state.credentials (account_id, business_id, hash, changed_at) values ($1, $2, $3, $4)
     on conflict (account_id) do nothing`,
    [accountId, businessId, hash, now],
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

/** Another password for an account; with `setAt`, only while that is the one it replaces. False when it is not. */
export async function replaceHash(
  db: PoolClient,
  { accountId, hash, setAt }: Readonly<{ accountId: string; hash: string; setAt?: Date }>,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update state.credentials set hash = $2, changed_at = greatest($3, changed_at + interval '1 millisecond')
     where account_id = $1 and ($4::timestamptz is null or changed_at = $4)`,
    [accountId, hash, now, setAt ?? null],
  );
  return rowCount === 1;
}
