import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { withMacs } from '#core/event-store/chain.ts';
import { encodeEvents, subjectOf } from '#core/event-store/codec.ts';
import { openEventStoreDbLog } from '#core/event-store/eventstoredb/event-store.ts';
import { createEventStore } from '#core/event-store/store.ts';
import type { SubjectKeys } from '#core/event-store/subject-keys.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import type { Figure, Item } from '#tests/bench/figure.ts';
import { appendsTo, compare, context, noteOn } from './append.ts';

const CLIENTS = [
  { clients: 1, least: 0.7 },
  { clients: 16, least: 0.8 },
] as const;

/** The log on EventStoreDB against batched appends of the same events by its bare client, on the same server. */
export const eventStoreDbAppend: Item = {
  name: 'eventstoredb-append',
  about: 'appends to EventStoreDB against batches of the bare client, 1 and 16 clients (EVENTSTORE_TEST_URL)',
  async measure(log): Promise<Figure[]> {
    const figures: Figure[] = [];
    const real = process.env['EVENTSTORE_TEST_URL'];
    const standIn = await startProcess();
    try {
      figures.push(...(await measureOn('stand-in', standIn.url, log)));
      if (real) figures.push(...(await measureOn('real server', real, log)));
    } finally {
      standIn.stop();
    }
    return figures;
  },
};

async function measureOn(server: string, url: string, log: (text: string) => void): Promise<Figure[]> {
  const raw = openEventStoreDbLog({ url, timeouts: { request: 10_000 } });
  const client = EventStoreDBClient.connectionString(url);
  try {
    await raw.warmUp();
    const store = createEventStore(raw, keysInMemory(), randomBytes(32));
    const measured: Figure[] = [];
    for (const { clients, least } of CLIENTS) {
      const what = `append to EventStoreDB (${server})`;
      const budget = `≥ ${least * 100} % of the bare client’s batches`;
      const subject = appendsTo(store, clients);
      const control = bareAppends(client, clients);
      measured.push(await compare({ what, clients, least, budget }, { subject, control }, log));
    }
    return measured;
  } finally {
    await raw.close();
    await client.dispose();
  }
}

/** Events as the log stores them, made beforehand. Without credentials of its own a call is batched by the client. */
function bareAppends(client: EventStoreDBClient, clients: number) {
  const note = noteOn(crypto.randomUUID());
  const at = { stream: streamName('job', crypto.randomUUID()), revision: -1, previous: null };
  const key = new Map([[subjectOf(note.event) ?? '', randomBytes(32)]]);
  const [row] = withMacs(randomBytes(32), encodeEvents(at, [note], context, key));
  if (!row) throw new Error('nothing was encoded');
  const metadata = { schema: row.schema, at: row.at, ...row.metadata };
  const streams = Array.from({ length: clients }, () => ({
    name: streamName('job', crypto.randomUUID()),
    revision: NO_STREAM as typeof NO_STREAM | bigint,
  }));
  return async (index: number) => {
    const stream = streams[index];
    if (!stream) throw new RangeError('no such client');
    const event = jsonEvent({ type: row.type, data: row.data as never, metadata });
    const how = { expectedRevision: stream.revision, requiresLeader: true };
    stream.revision = (await client.appendToStream(stream.name, event, how)).nextExpectedRevision;
  };
}

/** As the product has them after the first use of each. */
function keysInMemory(): SubjectKeys {
  const keys = new Map<string, Buffer>();
  const keyOf = (subject: string) => {
    const key = keys.get(subject) ?? randomBytes(32);
    keys.set(subject, key);
    return [subject, key] as const;
  };
  const all = async (subjects: readonly string[]) => new Map(subjects.map(keyOf));
  return {
    ...{ find: all, ensure: all, drop: () => {} },
    destroy: async (...subjects) => subjects.filter((subject) => keys.delete(subject)).length,
  };
}

/** In a process of its own, so that its work does not fall on the client that is measured. */
async function startProcess(): Promise<{ url: string; stop(): void }> {
  const file = fileURLToPath(new URL('../../support/servers/eventstoredb/stand-in.ts', import.meta.url));
  const child = Bun.spawn([process.execPath, file], { stdout: 'pipe', stderr: 'inherit' });
  const { value } = await child.stdout.getReader().read();
  const port = Number(new TextDecoder().decode(value));
  if (!port) throw new Error('the stand-in did not start');
  return { url: `esdb://localhost:${port}?tls=false`, stop: () => child.kill() };
}
