import { loadAccount } from '#api/accounts/load-account.ts';
import type { Deps } from '#api/deps.ts';
import { UnreadableEventError } from '#core/event-store/errors.ts';
import { listOwners } from '#projections/accounts/read.ts';
import { type AnnouncementKind, announcementKinds } from './announcement-kinds.ts';

/** Accounts that are asked at a time. */
const BATCH = 50;

export type Asked = Readonly<{ accountId: string; businessId: string; wants: boolean }>;
/** Some of all accounts: how many that are, and those of them that were asked. */
export type AskedBatch = Readonly<{ accounts: number; asked: readonly Asked[] }>;
type Owner = Pick<Asked, 'accountId' | 'businessId'>;

/**
 * Everybody who can sign in and whose business is open, with whether they want to hear of such things, as their own
 * streams say. An account comes to its business after its toggles, so none is asked before it has answered; one whose
 * answer cannot be read is not asked, and holds up no other.
 */
export async function* askEverybody(
  deps: Pick<Deps, 'db' | 'store'>,
  kind: AnnouncementKind,
): AsyncGenerator<AskedBatch> {
  for (let after = ''; ; ) {
    const owners = await listOwners(deps.db, after, BATCH);
    const last = owners.at(-1);
    if (!last) return;
    after = last.accountId;
    const signing = await whoSignsIn(
      deps,
      owners.map(({ accountId }) => accountId),
    );
    const answers = await Promise.all(
      owners.filter(({ accountId }) => signing.has(accountId)).map((owner) => ask(deps, kind, owner)),
    );
    yield { accounts: owners.length, asked: answers.filter((answer) => answer !== null) };
  }
}

async function ask(deps: Pick<Deps, 'store'>, kind: AnnouncementKind, owner: Owner): Promise<Asked | null> {
  try {
    const { account } = await loadAccount(deps, owner.accountId);
    return { ...owner, wants: account.notifications[announcementKinds[kind].toggle] };
  } catch (error) {
    if (error instanceof UnreadableEventError) return null;
    throw error;
  }
}

async function whoSignsIn({ db }: Pick<Deps, 'db'>, accountIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    'select account_id as id from state.credentials where account_id = any($1::uuid[])',
    [accountIds],
  );
  return new Set(rows.map(({ id }) => id));
}
