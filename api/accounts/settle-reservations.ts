import type { Deps } from '#api/deps.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { loadAccount } from './load-account.ts';
import { reservationKey, settle } from './reservations.ts';

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
    const email = { kind: 'email', key: reservationKey(deps.config, 'email', account.email) } as const;
    const mobile = { kind: 'mobile', key: reservationKey(deps.config, 'mobile', account.phone) } as const;
    for (const reservation of [email, mobile]) await settle(db, accountId, reservation, null);
  });
}
