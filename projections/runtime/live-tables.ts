import type { Pool } from 'pg';
import { lockNumbers } from '#core/postgres/locks.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { liveBuild, tableOf } from './build.ts';
import type { Projection } from './projection.ts';
import { createStatement, indexStatements, policyStatements, sampleStatements } from './table.ts';

/** A live table that is not there, or has lost the policy that it should have. */
type Gap = Readonly<{ quoted: string; isThere: boolean }>;

/**
 * Makes the live tables that a database lacks of these versions, empty and with their indexes, and the policies that
 * tables lack. To be called before anything writes or reads them; one query where nothing is missing. Runs as the
 * application, which owns schema `read`.
 */
export async function createMissingTables(pool: Pool, projections: readonly Projection[]): Promise<void> {
  const wanted = projections.flatMap((projection) =>
    projection.tables.map((table) => {
      const quoted = liveBuild(projection).table(table.name);
      return {
        table,
        name: tableOf(projection, table.name),
        quoted,
        policy: policyStatements(table, quoted),
      };
    }),
  );
  const findGaps = async (db: Pick<Pool, 'query'>) => {
    const { rows } = await db.query<Gap>(
      `select quoted, c.oid is not null as "isThere"
       from unnest($1::text[], $2::boolean[]) as wanted(quoted, guarded)
       left join pg_class c on c.oid = to_regclass(quoted)
       where c.oid is null or guarded and not (
         c.relrowsecurity and c.relforcerowsecurity and exists (select from pg_policy where polrelid = c.oid)
       )`,
      [wanted.map(({ quoted }) => quoted), wanted.map(({ policy }) => policy.length > 0)],
    );
    return wanted.flatMap((one) =>
      rows.filter(({ quoted }) => quoted === one.quoted).map((gap) => ({ ...one, ...gap })),
    );
  };
  if ((await findGaps(pool)).length === 0) return;
  await inTransaction(pool, async (db) => {
    await db.query('select pg_advisory_xact_lock($1)', [lockNumbers.readModelTables]);
    for (const { table, name, quoted, policy, isThere } of await findGaps(db)) {
      const whole = isThere
        ? []
        : [
            createStatement(table, name, ''),
            ...sampleStatements(table, quoted),
            ...indexStatements(table, name, ''),
          ];
      for (const statement of [...whole, ...policy]) await db.query(statement);
    }
  });
}

/** The tables of these names, quoted with their schema, that versions before `version` left: they follow the log no more. */
export async function findEarlierTables(
  db: Pool,
  names: readonly string[],
  version: number,
): Promise<string[]> {
  const { rows } = await db.query<{ quoted: string }>(
    `select format('%I.%I', nspname, relname) as quoted
     from pg_class c join pg_namespace n on n.oid = c.relnamespace,
       regexp_match(relname, '^(.+?)(?:_v([0-9]+))?$') as name
     where nspname = 'read' and relkind = 'r' and name[1] = any($1) and coalesce(name[2]::int, 1) < $2`,
    [names, version],
  );
  return rows.map(({ quoted }) => quoted);
}
