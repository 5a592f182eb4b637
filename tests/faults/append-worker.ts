import '#core/kernel/schema-settings.ts';
import { writeSync } from 'node:fs';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { SessionPool } from '#core/postgres/session.ts';
import { cause, newJobStream, notes } from '#tests/event-store/samples.ts';

// Appends without end, to be killed. Says `try <stream> <n>` before and `ack <stream> <n>` after event n of a stream.
const [url = '', dataKey = '', clients = '1'] = process.argv.slice(2);
const say = (word: string, stream: string, n: number) => writeSync(1, `${word} ${stream} ${n}\n`);

const pool = new SessionPool({ connectionString: url, max: Number(clients) });
const store = createEmbeddedEventStore({ pool, connectionString: url, dataKey: Buffer.from(dataKey, 'hex') });

await Promise.all(
  Array.from({ length: Number(clients) }, async () => {
    const stream = newJobStream();
    for (let n = 0; ; n += 1) {
      say('try', stream, n);
      await store.append(stream, n === 0 ? 'no-stream' : n - 1, [notes(stream, n)], cause);
      say('ack', stream, n);
    }
  }),
);
