import type { Pool } from 'pg';
import { comparePositions, type EventStore, type Position, START } from '../port.ts';
import { createQuery } from '../query.ts';
import type { RawLog } from '../raw-log.ts';
import { createEventStore } from '../store.ts';
import { createSubjectKeys } from '../subject-keys.ts';
import { listen } from './listener.ts';
import { createEmbeddedLog } from './log.ts';
import { subscribe } from './subscription.ts';
import { createWakeUp } from './wake-up.ts';

/** `dataKey` (32 bytes) wraps the subjects' keys; `connectionString` leads to the database of `pool`. */
export type EmbeddedOptions = Readonly<{ pool: Pool; connectionString: string; dataKey: Buffer }>;

/** Ends the subscriptions and the connection for hints. The pool stays its owner's. */
export type Closing = Readonly<{ close(): Promise<void> }>;

/** The event store in tables of Postgres (schemas `event_store` and `state`). */
export function createEmbeddedEventStore({
  pool,
  connectionString,
  dataKey,
}: EmbeddedOptions): EventStore & Closing {
  const keys = createSubjectKeys({ pool, dataKey });
  const { close, ...log } = openEmbeddedLog({ pool, connectionString });
  return { ...createEventStore(log, keys), close };
}

/** The raw log alone, for whoever checks or copies it: what it hands out is sealed. */
export function openEmbeddedLog({
  pool,
  connectionString,
}: Omit<EmbeddedOptions, 'dataKey'>): RawLog & Closing {
  const closing = new AbortController();
  const wakeUp = createWakeUp();
  let known = START;
  /** Wakes readers once for an append, whether its answer or its notification comes first; always where the position is unknown. */
  const onAppended = (position: Position | null) => {
    if (position !== null && comparePositions(position, known) <= 0) return;
    known = position ?? START;
    wakeUp.notify();
  };
  const log = createEmbeddedLog(createQuery(pool), onAppended);
  const hints = listen(connectionString, onAppended, closing.signal);
  pool.on('error', stayAlive);
  return {
    ...log,
    subscribeAll: (after, { signal, ...options }) =>
      subscribe(log.readAll, wakeUp, after, {
        ...options,
        signal: AbortSignal.any([signal, closing.signal]),
      }),
    async close() {
      closing.abort();
      await hints;
      pool.off('error', stayAlive);
    },
  };
}

/** An idle connection that breaks is the pool's to replace: without a listener it would end the process. */
function stayAlive(): void {}
