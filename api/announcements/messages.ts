import { loadAccount } from '#api/accounts/load-account.ts';
import type { Clock, Deps } from '#api/deps.ts';
import { mailOf } from '#api/outbox/mail-layout.ts';
import type { MailKind } from '#api/outbox/message-kind.ts';
import { queueMessage } from '#api/outbox/queue.ts';
import type { Mail } from '#api/providers/messages.ts';
import { isEmailTrusted } from '#core/account/state.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { product } from '#core/values/product.ts';
import { listMondays, listOwnersIn } from '#projections/accounts/read.ts';
import { hadWork } from '#projections/jobs/list.ts';
import { announcementKinds, blocksOf } from './announcement-text.ts';
import { type Announcement, findAnnouncement } from './announcements.ts';
import { type SubscriptionSettings, subscriptionParts } from './unsubscribe.ts';

declare module '#api/outbox/queue.ts' {
  interface QueuedMessages {
    announcement: Readonly<{ announcement: string; accountId: string }>;
    'weekly-record': Readonly<{ accountId: string }>;
  }
}

/** Brings one owner what an operator announces to many, unless they have turned it off or it was cancelled meanwhile. */
export const announcementToOne: MailKind = {
  kind: 'announcement',
  channel: 'mail',
  isSentOnce: true,
  async compose(deps, { data }) {
    const accountId = String(data.accountId);
    const announcement = await findAnnouncement(deps.db, String(data.announcement));
    if (announcement === null || announcement.isCancelled) return null;
    const { account } = await loadAccount(deps, accountId);
    if (!account.notifications[announcementKinds[announcement.kind].toggle]) return null;
    return announcementMail(deps.config, announcement, { accountId, email: account.email });
  },
};

type Recipient = Readonly<{ accountId: string; email: string }>;

/** Whose link a mail has that is shown to the operator: it opens nothing. */
export const previewAccount = '00000000-0000-0000-0000-000000000000';

/** An announcement to one account. */
export function announcementMail(
  config: SubscriptionSettings,
  { kind, subject, body }: Announcement,
  { accountId, email: to }: Recipient,
): Mail {
  const { paragraphs, action } = blocksOf(body, config.publicOrigin);
  return mailOf({
    ...{ to, subject, heading: subject, paragraphs },
    ...(action ? { action } : {}),
    ...subscriptionParts(config, { accountId, kind }),
  });
}

/**
 * Brings an owner the newest checkpoint of the log: a copy that the owner of the database does not reach. Not to an address that is not confirmed, nor where nothing was ever signed.
 */
export const weeklyRecord: MailKind = {
  kind: 'weekly-record',
  channel: 'mail',
  isSentOnce: true,
  async compose({ config, store, proof }, { businessId, data }) {
    const accountId = String(data.accountId);
    const { account } = await loadAccount({ store }, accountId);
    if (!account.notifications.weeklyRecord || !isEmailTrusted(account)) return null;
    const checkpoint = await proof.mailedCheckpoint(businessId);
    if (!checkpoint) return null;
    const { size, note, key } = checkpoint;
    return mailOf({
      to: account.email,
      subject: 'Your weekly record',
      heading: 'Your weekly record',
      paragraphs: [
        `Attached is a signed number that stands for everything ${product.name} has stored so far: ${size} events, yours among them.`,
        'Keep this email. If a job of yours is ever in dispute, it shows that nothing from before today was rewritten, and the key below shows what came later.',
        'To use it, open the address below and add the record of the job and the attached checkpoint.txt.',
        `The key that signed it, ${key.id} for short, as your customers' receipts name it:\n${key.vkey}`,
      ],
      action: { label: 'Check a record', url: `${config.publicOrigin}/check` },
      ...subscriptionParts(config, { accountId, kind: 'weekly-record' }),
      attachments: [{ name: 'checkpoint.txt', text: note }],
    });
  },
};

/** Owners that are read at a time. */
const BATCH = 200;
/** Between the mails of one zone, in milliseconds: alerts and receipts go out in between. */
const APART = 200;
const HOUR = 60 * 60_000;
const WEEK = 7 * 24 * HOUR;
/** How long after Monday 07:00 it is still made up for, in milliseconds. */
const LATE = 48 * HOUR;

type QueueDeps = Pick<Clock, 'now'> & Pick<Deps, 'db' | 'messages'>;

/**
 * Queues the weekly record for the owners whose business had work in the week before, from Monday 07:00 of its own zone
 * on: once for each, however often and by however many processes it is done. Whether it is wanted is asked as it is sent.
 * What is made here remembers what it has queued: a restart looks once more, and the outbox takes each id once.
 */
export function createWeeklyRecords(): (deps: QueueDeps) => Promise<void> {
  const done = new Set<string>();
  return async (deps) => {
    const now = deps.now();
    for (const { timeZone, monday } of await listMondays(deps.db, now)) {
      const sendable = new Date(monday.getTime() + 7 * HOUR);
      const late = now.getTime() - sendable.getTime();
      const week = `${timeZone} ${monday.toISOString()}`;
      if (late < 0 || late >= LATE || done.has(week)) continue;
      await queueIn(deps, timeZone, sendable);
      done.add(week);
    }
  };
}

async function queueIn({ db, now, messages }: QueueDeps, timeZone: string, sendable: Date): Promise<void> {
  const week = { from: new Date(sendable.getTime() - WEEK), to: sendable };
  const day = sendable.toTemporalInstant().toZonedDateTimeISO(timeZone).toPlainDate();
  let next = now().getTime();
  for (let after = ''; ; ) {
    const owners = await listOwnersIn(db, timeZone, after, BATCH);
    const last = owners.at(-1);
    if (!last) break;
    after = last.accountId;
    for (const { accountId, businessId } of owners) {
      if (!(await hadWork(db, businessId, week))) continue;
      // By the day there: a business that changes its zone meets the same Monday again.
      const id = uuidV5(accountId, `weekly-record ${day}`);
      const message = { id, kind: 'weekly-record', businessId, data: { accountId } } as const;
      if (await queueMessage(db, { ...message, notBefore: new Date(next) }, now())) next += APART;
    }
  }
  messages?.notify();
}
