import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '#core/postgres/transaction.ts';
import type { StatePart } from './manifest.ts';
import { nameOfInstant, type ObjectWriter, type StoredObject } from './objects.ts';

/** Tables that are no part of the state that a backup holds, each with the reason. Every other one is in it by itself. */
export const leftOut: Readonly<Record<string, string>> = {
  'state.subject_keys': 'a part of its own, of which the newest is always restored',
  'state.sessions': 'after a restore everybody signs in again',
  'state.idempotency': 'answers to repeats within a day',
  'state.intake': 'counted by limits within a day',
  'state.form_requests': 'counted by limits within a day',
  'state.alert_messages': 'counted by limits within a day',
  'state.code_messages': 'counted by limits within a day',
  'state.login_failures': 'counted by limits within a day',
  'state.bot_check_spent': 'used up within minutes',
  'state.bot_check_tickets': 'used up within minutes',
  'state.key_fingerprints': 'noted anew by the first start; the manifest has check values',
  'state.log_identity': 'noted anew by the first start: the log may be restored into another store',
  'state.backups': 'how old the backup of this very installation is',
  'proof.nodes': 'computed from the log',
  'proof.marks': 'computed from the log',
  'proof.progress': 'computed from the log',
};

/** The schemas that a backup looks into. Read models are built from the events. */
const SCHEMAS = ['state', 'proof'];
/** Text of one object, in characters, more or less. */
const OBJECT = 8_000_000;
const PAGE = 2_000;

type Table = Readonly<{ table: string; columns: string[] }>;

/** The tables of a backup with their columns, as the catalogue of the database has them. */
export async function listTables(db: Pool | PoolClient): Promise<Table[]> {
  const { rows } = await db.query<Table>(
    `select format('%I.%I', n.nspname, c.relname) as table,
       array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns
     from pg_catalog.pg_class c
       join pg_catalog.pg_namespace n on n.oid = c.relnamespace
       join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition
     group by 1 order by 1`,
    [SCHEMAS],
  );
  return rows.filter(({ table }) => !(table in leftOut));
}

/** Writes the rows of all tables as they are at one moment, as JSON: a line is `[table, row]`. */
export function writeState(pool: Pool, writer: ObjectWriter): Promise<StatePart> {
  const write = async (db: PoolClient): Promise<StatePart> => {
    await db.query('set transaction isolation level repeatable read, read only');
    const { rows } = await db.query<{ now: Date }>('select now() as now');
    const at = rows[0]?.now ?? new Date(0);
    const tables = await listTables(db);
    const objects: StoredObject[] = [];
    let lines: string[] = [];
    let length = 0;
    const flush = async () => {
      const name = `state/${nameOfInstant(at)}-${objects.length}.ndjson.zst.age`;
      objects.push(await writer.lines(name, lines));
      lines = [];
      length = 0;
    };
    for (const { table, columns } of tables) {
      for await (const page of rowsOf(db, table, columns)) {
        lines.push(...page);
        length += page.reduce((sum, line) => sum + line.length, 0);
        if (length >= OBJECT) await flush();
      }
    }
    if (lines.length > 0) await flush();
    return {
      at: at.toISOString(),
      tables: Object.fromEntries(tables.map(({ table, columns }) => [table, columns])),
      objects,
    };
  };
  return inTransaction(pool, write, { once: true });
}

async function* rowsOf(db: PoolClient, table: string, columns: readonly string[]): AsyncGenerator<string[]> {
  const named = columns.map((column) => `"${column}"`).join(', ');
  await db.query(
    `declare of_table no scroll cursor for
     select json_build_array('${table}', row_to_json(r))::text as line from (select ${named} from ${table}) r`,
  );
  for (;;) {
    const { rows } = await db.query<{ line: string }>(`fetch ${PAGE} from of_table`);
    if (rows.length > 0) yield rows.map(({ line }) => line);
    if (rows.length < PAGE) break;
  }
  await db.query('close of_table');
}

/** The table of a line of `writeState`. Throws RangeError for another line. */
export function tableOfLine(line: string): string {
  const [, table] = /^\["([a-z_0-9]+\.[a-z_0-9]+)", /.exec(line) ?? [];
  if (table === undefined) throw new RangeError('not a row of a table');
  return table;
}
