import { escapeLiteral, type Pool, type PoolClient } from 'pg';
import type { Statement } from '#core/postgres/statement.ts';

/** Runs after which Postgres may keep a plan for all values. */
const RUNS = 6;
/** Days and texts of a condition are of little interest. */
const LONGEST_LINE = 160;

/** How Postgres runs a statement: `generic` by one plan for all values. */
export type UsedPlan = Readonly<{ lines: string[]; milliseconds: number; generic: boolean }>;

/**
 * The plan that a statement has on a connection that ran the same statement with other values six times before: of a
 * statement that is planned once the cached one, else the one for its values.
 */
export async function usedPlan(pool: Pool, statement: Statement, before: Statement): Promise<UsedPlan> {
  const client = await pool.connect();
  const isPrepared = statement.name !== undefined;
  try {
    return isPrepared
      ? await preparedPlan(client, statement, before)
      : planOf(await explain(client, statement.text, statement.values));
  } finally {
    // With the statement that is prepared here the connection would stand in the way of the next plan.
    client.release(isPrepared);
  }
}

async function preparedPlan(client: PoolClient, { text, values }: Statement, before: Statement) {
  await client.query(`prepare used as ${text}`);
  for (let run = 0; run < RUNS; run += 1) await client.query(execution(before.values));
  return planOf(await explain(client, execution(values)));
}

/** Values are written out: a statement about a statement takes no parameters. */
function execution(values: readonly unknown[]): string {
  return values.length === 0 ? 'execute used' : `execute used (${values.map(literal).join(', ')})`;
}

function literal(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return escapeLiteral(`{${value.map((item) => JSON.stringify(item)).join(',')}}`);
  return escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}

async function explain(client: PoolClient, text: string, values: unknown[] = []): Promise<string[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, buffers, costs off, timing off) ${text}`,
    values,
  );
  return rows.map((row) => row['QUERY PLAN']);
}

function planOf(lines: readonly string[]): UsedPlan {
  const times = lines.flatMap((line) => /^Execution Time: ([\d.]+) ms/.exec(line)?.[1] ?? []);
  return {
    lines: lines.map((line) => line.slice(0, LONGEST_LINE)),
    milliseconds: times.reduce((sum, time) => sum + Number(time), 0),
    // Only a plan for all values names its parameters.
    generic: lines.some((line) => /\$\d/.test(line)),
  };
}
