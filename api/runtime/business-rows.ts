import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { retryConflicts } from '#core/postgres/conflict.ts';
import type { Statement } from '#core/postgres/statement.ts';

/** Asks for rows, as `pg` does; sees those of one business. */
export type BusinessRows = Readonly<{
  query<Row extends QueryResultRow>(
    statement: Statement | string,
    values?: unknown[],
  ): Promise<{ rows: Row[] }>;
}>;

const setting = { name: 'set ute.business', text: "select set_config('ute.business', $1, false)" };

/**
 * Queries for the rows of the business that a session belongs to (the policy `one_business` of a table). For reading only: the query
 * after a setting that failed has run for the business before, and its answer is dropped.
 * @param pool for nothing else: its connections remember the business, which is sent again only when it is another; with
 * `pipeline`, so that it goes out in one round trip with the query
 */
export function createBusinessRows(pool: Pool): (businessId: string) => BusinessRows {
  const remembered = new WeakMap<PoolClient, string>();

  async function run<Row extends QueryResultRow>(
    client: PoolClient,
    businessId: string,
    statement: Statement,
  ) {
    if (remembered.get(client) === businessId) return client.query<Row>(statement);
    remembered.delete(client);
    const [, answer] = await Promise.all([
      client.query({ ...setting, values: [businessId] }),
      client.query<Row>(statement),
    ]);
    remembered.set(client, businessId);
    return answer;
  }

  async function ask<Row extends QueryResultRow>(businessId: string, statement: Statement) {
    const client = await pool.connect();
    let lost: Error | undefined;
    const onError = (error: Error) => {
      lost = error;
    };
    // Without a listener, a connection that dies during the query takes the process with it.
    client.on('error', onError);
    try {
      return await run<Row>(client, businessId, statement);
    } catch (error) {
      // As the pool does with a query of its own: a statement that failed says nothing good of its connection.
      lost ??= error as Error;
      throw error;
    } finally {
      client.off('error', onError);
      client.release(lost);
    }
  }

  return (businessId) => ({
    query<Row extends QueryResultRow>(asked: Statement | string, values: unknown[] = []) {
      const statement = typeof asked === 'string' ? { text: asked, values } : asked;
      return retryConflicts(() => ask<Row>(businessId, statement));
    },
  });
}
