import type { Pool } from 'pg';
import type { Clock, Deps } from '#api/deps.ts';
import { queueMessage } from '#api/messages/outbox/outbox.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { listMondays, listOwnersIn } from '#projections/accounts/read.ts';
import { hadWork } from '#projections/jobs/read.ts';

/** Owners that are read at a time. */
const BATCH = 200;
/** Between the mails of one zone, in milliseconds: alerts and receipts go out in between. */
const APART = 200;
const HOUR = 60 * 60_000;
const WEEK = 7 * 24 * HOUR;
/** How long after Monday 07:00 it is still made up for, in milliseconds. */
const LATE = 48 * HOUR;

/** What this process has queued. A restart looks once more, and the outbox takes each id once. */
const finished = new WeakMap<Pool, Set<string>>();

/**
 * Queues the weekly record for the owners whose business had work in the week before, from Monday 07:00 of its own zone
 * on: once for each, however often and by however many processes it is done. Whether it is wanted is asked as it is sent.
 */
export async function queueWeeklyRecords(
  deps: Pick<Clock, 'now'> & Pick<Deps, 'db' | 'messages'>,
): Promise<void> {
  const { db } = deps;
  const now = deps.now();
  const done = finished.get(db) ?? new Set();
  finished.set(db, done);
  for (const { timeZone, monday } of await listMondays(db, now)) {
    const sendable = new Date(monday.getTime() + 7 * HOUR);
    const late = now.getTime() - sendable.getTime();
    const week = `${timeZone} ${monday.toISOString()}`;
    if (late < 0 || late >= LATE || done.has(week)) continue;
    await queueIn(deps, timeZone, sendable);
    done.add(week);
  }
}

async function queueIn(
  { db, now, messages }: Parameters<typeof queueWeeklyRecords>[0],
  timeZone: string,
  sendable: Date,
): Promise<void> {
  const week = { from: new Date(sendable.getTime() - WEEK), to: sendable };
  let next = now().getTime();
  for (let after = ''; ; ) {
    const owners = await listOwnersIn(db, timeZone, after, BATCH);
    const last = owners.at(-1);
    if (!last) break;
    after = last.accountId;
    for (const { accountId, businessId } of owners) {
      if (!(await hadWork(db, businessId, week))) continue;
      const id = uuidV5(accountId, `weekly-record ${sendable.toISOString()}`);
      const message = { id, kind: 'weekly-record', businessId, data: { accountId } } as const;
      if (await queueMessage(db, { ...message, notBefore: new Date(next) }, now())) next += APART;
    }
  }
  messages?.notify();
}
