import { DatabaseError, type Pool } from 'pg';
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

/** Connection lost or refused, server starting or stopping, out of connections or disk, a lock or the answer took too long. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return error instanceof Error && !(error instanceof TypeError);
  const code = error.code ?? '';
  return /^(?:08|53|57P|58)/.test(code) || code === '55P03' || code === '57014';
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new EventStoreUnavailableError('no answer in time')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
