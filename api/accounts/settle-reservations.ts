import type { PoolClient } from 'pg';
import type { Deps } from '#api/deps.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { loadAccount } from './load-account.ts';
import { type ReservationKind, reservationKey } from './reservations.ts';

type SettleDeps = Pick<Deps, 'config' | 'db' | 'store'>;

/**
 * Makes an account's reservations say what its events say: the email and mobile that it has are its own, those that it had are
 * free, in one step. May run late, twice or at once: no run takes back what a newer one did. What is merely held is
 * left alone, as another change may be about to need it.
 */
export async function settleReservations(deps: SettleDeps, accountId: string): Promise<void> {
  const { account, revision } = await loadAccount(deps, accountId);
  await inTransaction(deps.db, async (db) => {
    const { rowCount } = await db.query(
      'update state.credentials set reservations_revision = $2 where account_id = $1 and reservations_revision <= $2',
      [accountId, revision],
    );
    if (rowCount !== 1) return;
    await keepOnly(db, accountId, 'email', reservationKey(deps.config, 'email', account.email));
    await keepOnly(db, accountId, 'mobile', reservationKey(deps.config, 'mobile', account.phone));
  });
}

async function keepOnly(db: PoolClient, owner: string, kind: ReservationKind, key: Buffer): Promise<void> {
  const { rowCount } = await db.query(
    `insert into state.reservations as had (kind, key, owner, status) values ($1, $2, $3, 'kept')
     on conflict (kind, key) do update set status = 'kept', expires_at = null where had.owner = excluded.owner`,
    [kind, key, owner],
  );
  // An owner who lost the new one to another account still signs in with the old one.
  if (rowCount !== 1) return;
  await db.query(
    `delete from state.reservations where kind = $1 and owner = $3 and key <> $2 and status = 'kept'`,
    [kind, key, owner],
  );
}
