import type { Pool } from 'pg';
import { OutageError } from '#core/kernel/errors.ts';
import { isOutage } from '#core/postgres/outage.ts';
import type { Statement } from '#core/postgres/statement.ts';
import { EventStoreUnavailableError } from './errors.ts';

/** Runs a statement and answers its rows. Throws `EventStoreUnavailableError` when Postgres is unavailable or too slow. */
export type Query = <Row extends object>(statement: Statement) => Promise<Row[]>;

/** `timeoutMs` bounds the whole call: the wait for a connection and for the answer. */
export function createQuery(pool: Pool, timeoutMs = 10_000): Query {
  return async <Row extends object>(statement: Statement) => {
    const config = { ...statement, query_timeout: timeoutMs };
    try {
      const { rows } = await inTime(pool.query<Row>(config), timeoutMs);
      return rows;
    } catch (error) {
      throw isOutage(error)
        ? new EventStoreUnavailableError('Postgres is unavailable', { cause: error })
        : error;
    }
  };
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OutageError('no answer in time')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
