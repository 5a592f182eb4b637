import { loadAccount } from '#api/accounts/load-account.ts';
import type { Deps } from '#api/deps.ts';
import { queueMessage } from '#api/outbox/queue.ts';
import { UnreadableEventError } from '#core/event-store/errors.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { countOwners, listOwners } from '#projections/accounts/read.ts';
import { type AnnouncementKind, announcementKinds } from './announcement-text.ts';
import { type Announcement, assertSame, beginAnnouncement } from './announcements.ts';

type Announcing = Pick<Deps, 'db' | 'store' | 'now'>;

export type Pace = Readonly<{
  /** So many mails are to go out in a minute, at most. */
  perMinute: number;
  signal: AbortSignal;
  /** How many accounts were asked, and how many there are. */
  onProgress(asked: number, of: number): void;
}>;

/** How many accounts get it by this run, had it before, and do not want such things. */
export type Announced = Readonly<{ queued: number; already: number; optedOut: number }>;

/**
 * Puts an announcement into the outbox for every account that wants such things: once for each, whichever process is killed,
 * repeats it or does it at the same time. What is left is done by doing it again. Throws ConflictError for an id that
 * stands for something else or was cancelled.
 */
export async function announce(
  deps: Announcing,
  announcement: Announcement,
  { perMinute, signal, onProgress }: Pace,
): Promise<Announced> {
  await beginAnnouncement(deps.db, announcement, deps.now());
  let next = await firstFree(deps, announcement);
  const counts = { queued: 0, already: 0, optedOut: 0 };
  for await (const batch of everybody(deps, announcement, { signal, onProgress })) {
    for (const { accountId, businessId, wants } of batch) {
      if (!wants) counts.optedOut += 1;
      else if (await queue(deps, announcement, { accountId, businessId, notBefore: new Date(next) })) {
        counts.queued += 1;
        next += 60_000 / perMinute;
      } else counts.already += 1;
    }
  }
  return counts;
}

/** What `announce` would do now. Writes nothing, and throws what it would throw. */
export async function rehearse(
  deps: Announcing,
  announcement: Announcement,
  pace: Omit<Pace, 'perMinute'>,
): Promise<Announced> {
  await assertSame(deps.db, announcement);
  const counts = { queued: 0, already: 0, optedOut: 0 };
  for await (const batch of everybody(deps, announcement, pace)) {
    const known = await alreadyQueued(deps, announcement, batch);
    for (const { accountId, wants } of batch) {
      counts[!wants ? 'optedOut' : known.has(messageIdFor(announcement, accountId)) ? 'already' : 'queued'] +=
        1;
    }
  }
  return counts;
}

async function* everybody(
  deps: Announcing,
  announcement: Announcement,
  { signal, onProgress }: Omit<Pace, 'perMinute'>,
): AsyncGenerator<readonly Asked[]> {
  const of = await countOwners(deps.db);
  let done = 0;
  for await (const { accounts, asked } of askEverybody(deps, announcement.kind)) {
    signal.throwIfAborted();
    await assertSame(deps.db, announcement);
    yield asked;
    done += accounts;
    onProgress(Math.min(done, of), of);
  }
}

/** False when the account has got it, or is about to. */
function queue(
  { db, now }: Announcing,
  announcement: Announcement,
  { accountId, businessId, notBefore }: Readonly<{ accountId: string; businessId: string; notBefore: Date }>,
): Promise<boolean> {
  const { id } = announcement;
  const data = { announcement: id, accountId };
  const message = {
    id: messageIdFor(announcement, accountId),
    kind: 'announcement',
    businessId,
    data,
    notBefore,
  } as const;
  return queueMessage(db, { ...message, announcement: id }, now());
}

/** One per account and announcement: the outbox takes an id once, for ever. */
function messageIdFor({ id }: Pick<Announcement, 'id'>, accountId: string): string {
  return uuidV5(accountId, `announcement ${id}`);
}

async function alreadyQueued(
  { db }: Announcing,
  announcement: Announcement,
  batch: readonly Asked[],
): Promise<Set<string>> {
  const ids = batch.map(({ accountId }) => messageIdFor(announcement, accountId));
  const { rows } = await db.query<{ id: string }>('select id from state.outbox where id = any($1::uuid[])', [
    ids,
  ]);
  return new Set(rows.map((row) => row.id));
}

/** After what an earlier run queued and no sender has sent yet, in milliseconds since the epoch. */
async function firstFree({ db, now }: Announcing, { id }: Announcement): Promise<number> {
  const { rows } = await db.query<{ last: Date | null }>(
    `select max(wanted_at) as last from state.outbox where announcement = $1 and delivery_status = 'waiting'`,
    [id],
  );
  return Math.max(now().getTime(), rows[0]?.last?.getTime() ?? 0);
}

/** Accounts that are asked at a time. */
const BATCH = 50;

type Asked = Readonly<{ accountId: string; businessId: string; wants: boolean }>;
/** Some of all accounts: how many that are, and those of them that were asked. */
type AskedBatch = Readonly<{ accounts: number; asked: readonly Asked[] }>;
type Owner = Pick<Asked, 'accountId' | 'businessId'>;

/**
 * Everybody who can sign in and whose business is open, with whether they want to hear of such things, as their own
 * streams say. An account comes to its business after its toggles, so none is asked before it has answered; one whose
 * answer cannot be read is not asked, and holds up no other.
 */
async function* askEverybody(
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
