import '#core/kernel/schema-settings.ts';
import type { Pool } from 'pg';
import { announce } from '#api/announcements/announce.ts';
import type { Announcement } from '#api/announcements/announcements.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { SessionPool } from '#core/postgres/session.ts';
import { takeOrders } from '#tests/support/processes/workers.ts';

/** What to announce, and the statement to die after, 0 for none. */
export type AnnounceOrder = Readonly<{ announcement: Announcement; fatal: number }>;

/**
 * A process of its own that announces what it is told to, each time with connections of its own, and kills itself once the statement
 * that its order counts has been carried out and before its answer is heard.
 */
const [connectionString = '', dataKey = ''] = process.argv.slice(2);
const pace = { perMinute: 60_000, signal: new AbortController().signal, onProgress() {} };

await takeOrders<AnnounceOrder>(async ({ announcement, fatal }) => {
  const pool = new SessionPool({ connectionString });
  const store = createEmbeddedEventStore({ pool, connectionString, dataKey: Buffer.from(dataKey, 'hex') });
  let queued = 0;
  const query = async (text: string, values?: unknown[]) => {
    const answer = await pool.query(text, values);
    if (text.includes('insert into state.outbox') && (queued += 1) === fatal)
      process.kill(process.pid, 'SIGKILL');
    return answer;
  };
  const db = { query } as unknown as Pool;
  await announce({ db, store, now: () => new Date() }, announcement, pace);
  await store.close();
  await pool.end();
  return 'announced';
});
