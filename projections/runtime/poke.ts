import type { Pool } from 'pg';
import type { Position } from '#core/event-store/port.ts';

type Listener = (projection: string, position: Position) => void;

const listenersByPool = new WeakMap<Pool, Set<Listener>>();

/** Tells the readers that share `pool` in this process how far a projection is: sooner than NOTIFY can. */
export function poke(pool: Pool, projection: string, position: Position): void {
  for (const listener of listenersByPool.get(pool) ?? []) listener(projection, position);
}

/** Answers the way to stop. */
export function onPoke(pool: Pool, listener: Listener): () => void {
  const listeners = listenersByPool.get(pool) ?? new Set();
  listenersByPool.set(pool, listeners.add(listener));
  return () => listeners.delete(listener);
}
