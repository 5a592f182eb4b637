import '#core/kernel/schema-settings.ts';
import { Pool } from 'pg';
import { announce } from '#api/messages/announcements/announce.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';

/**
 * A process of its own that announces what its fourth argument says, and kills itself once the statement that its third
 * counts has been carried out and before its answer is heard.
 */
const [connectionString = '', dataKey = '', fatal = '0', announcement = ''] = process.argv.slice(2);
const pool = new Pool({ connectionString });
const store = createEmbeddedEventStore({ pool, connectionString, dataKey: Buffer.from(dataKey, 'hex') });

let queued = 0;
const query = async (text: string, values?: unknown[]) => {
  const answer = await pool.query(text, values);
  if (text.includes('insert into state.outbox') && (queued += 1) === Number(fatal))
    process.kill(process.pid, 'SIGKILL');
  return answer;
};
const db = { query } as unknown as Pool;
const { signal } = new AbortController();
const pace = { perMinute: 60_000, signal, onProgress() {} };
await announce({ db, store, now: () => new Date() }, JSON.parse(announcement), pace);
await store.close();
await pool.end();
