import { copyIn, copyLine } from '#core/postgres/copy-in.ts';
import { type Figure, type Item, perSecond } from '#tests/bench/figure.ts';
import { inPairs } from '#tests/bench/pairs.ts';
import { type BenchDatabase, database, ute } from '#tests/bench/prepared.ts';
import { median, ratioOf } from '#tests/bench/statistics.ts';
import { rebuiltTables } from '#tests/bench/tables.ts';

const PAIRS = 3;

/** `ute projections rebuild all` against a COPY of the same rows with the same index builds. */
export const rebuild: Item = {
  name: 'rebuild',
  about: 'rebuilding all projections against a COPY of their rows with the same index builds',
  async measure(log): Promise<Figure[]> {
    const bare = await database('small');
    try {
      const events = await countEvents(bare);
      const copy = await prepareCopy(bare);
      const pairs = await inPairs(
        PAIRS,
        () => rebuildOnce(),
        () => copy(),
      );
      log(pairs.map(([ours, control]) => `${ours.toFixed(1)} s : ${control.toFixed(1)} s`).join('  '));
      const rates = pairs.map(([ours, control]) => [events / ours, events / control] as const);
      const ratio = ratioOf(rates);
      const rate = median(rates.map(([ours]) => ours));
      return [
        {
          what: 'rebuild of everything, events',
          ...{
            value: perSecond(rate),
            control: perSecond(median(rates.map(([, control]) => control))),
            ratio,
          },
          budget: '≥ 50,000/s and ≥ 0.45 of a COPY',
          met: rate >= 50_000 && ratio.median >= 0.45,
          note: `${events.toLocaleString('en')} events`,
        },
      ];
    } finally {
      await bare.pool.query('drop schema if exists bench cascade');
      await bare.close();
    }
  },
};

/** Seconds until the last projection is in place, as the command itself reports them. */
async function rebuildOnce(): Promise<number> {
  const text = await ute('small', ['projections', 'rebuild', 'all']);
  const seconds = Number([...text.matchAll(/rebuilt to position \d+ in ([\d.]+) s/g)].at(-1)?.[1]);
  if (!seconds) throw new Error(`the rebuild said: ${text}`);
  return seconds;
}

async function countEvents({ pool }: BenchDatabase): Promise<number> {
  const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from event_store.events');
  return rows[0]?.n ?? 0;
}

/** Everything but the COPY and the indexes is done beforehand. */
async function prepareCopy({ pool }: BenchDatabase): Promise<() => Promise<number>> {
  const tables: Copied[] = [];
  for (const table of rebuiltTables) tables.push(await readTable(pool, table));
  return async () => {
    await pool.query('drop schema if exists bench cascade; create schema bench');
    for (const { name, table, primaryKey } of tables) {
      await pool.query(`create table bench.${name}
        (like ${table} including defaults including generated including constraints);
        alter table bench.${name} add ${primaryKey}`);
    }
    const start = performance.now();
    const client = await pool.connect();
    for (const { name, columns, lines } of tables) {
      await copyIn(client, `copy bench.${name} (${columns.join(', ')}) from stdin`, lines);
      await client.query(`vacuum (analyze) bench.${name}`);
    }
    client.release();
    // Two at a time, the longest first, as the rebuild has them.
    const statements = tables
      .flatMap(({ name, indexes }) => indexes.map((index) => `create index on bench.${name} ${index}`))
      .sort((a, b) => Number(b.includes(' USING gin ')) - Number(a.includes(' USING gin ')));
    const worker = async () => {
      for (let next = statements.shift(); next; next = statements.shift()) await pool.query(next);
    };
    await Promise.all([worker(), worker()]);
    return (performance.now() - start) / 1_000;
  };
}

type Copied = Readonly<{
  name: string;
  table: string;
  columns: readonly string[];
  primaryKey: string;
  indexes: readonly string[];
  lines: readonly string[];
}>;

async function readTable(pool: BenchDatabase['pool'], table: string): Promise<Copied> {
  const columns = await columnsOf(pool, table);
  const { rows } = await pool.query<Record<string, string | null>>(
    `select ${columns.map((column) => `${column}::text`).join(', ')} from ${table}`,
  );
  const keys = await pool.query<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = '${table}'::regclass and contype = 'p'`,
  );
  return {
    name: table.replaceAll('"', '').split('.').at(-1) ?? table,
    ...{ table, columns },
    primaryKey: keys.rows[0]?.definition ?? '',
    indexes: await indexesOf(pool, table),
    lines: rows.map((row) => copyLine(columns.map((column) => row[column] ?? null))),
  };
}

async function columnsOf(pool: BenchDatabase['pool'], table: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = '${table}'::regclass
       and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
  );
  return rows.map(({ name }) => name);
}

/** From `using` on, of every index but the primary key's. */
async function indexesOf(pool: BenchDatabase['pool'], table: string): Promise<string[]> {
  const { rows } = await pool.query<{ definition: string }>(
    `select pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = '${table}'::regclass and not indisprimary`,
  );
  return rows.map(({ definition }) => definition.slice(definition.indexOf(' USING ')));
}
