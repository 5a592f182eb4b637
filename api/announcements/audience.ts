import { loadAccount } from '#api/accounts/load-account.ts';
import type { Deps } from '#api/deps.ts';
import { listOwners } from '#projections/accounts/read.ts';
import { type AnnouncementKind, announcementKinds } from './announcement-kinds.ts';

/** Accounts that are asked at a time. */
const BATCH = 50;

export type Asked = Readonly<{ accountId: string; businessId: string; wants: boolean }>;

/**
 * Everybody who can sign in and whose business is open, with whether they want to hear of such things, as their own
 * streams say. An account comes to its business after its toggles, so none is asked before it has answered.
 */
export async function* askEverybody(
  deps: Pick<Deps, 'db' | 'store'>,
  kind: AnnouncementKind,
): AsyncGenerator<readonly Asked[]> {
  const { toggle } = announcementKinds[kind];
  for (let after = ''; ; ) {
    const owners = await listOwners(deps.db, after, BATCH);
    const last = owners.at(-1);
    if (!last) return;
    after = last.accountId;
    const signing = await whoSignsIn(
      deps,
      owners.map(({ accountId }) => accountId),
    );
    yield await Promise.all(
      owners
        .filter(({ accountId }) => signing.has(accountId))
        .map(async (owner) => ({
          ...owner,
          wants: (await loadAccount(deps, owner.accountId)).account.notifications[toggle],
        })),
    );
  }
}

async function whoSignsIn({ db }: Pick<Deps, 'db'>, accountIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    'select account_id as id from state.credentials where account_id = any($1::uuid[])',
    [accountIds],
  );
  return new Set(rows.map(({ id }) => id));
}
