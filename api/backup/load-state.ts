import type { PoolClient } from 'pg';
import type { Position } from '#core/event-store/port.ts';
import type { LoadedLog } from './load-log.ts';
import type { StatePart } from './manifest.ts';
import type { ObjectReader } from './objects.ts';
import { tableOfLine } from './state-part.ts';

const AT_ONCE = 2_000;
const POSITIONS = 'state.process_positions';
const PARKED = 'state.process_parked';

/** Where the processes had come, as the backup has it: events at these places are looked up in the restored log. */
export async function positionsIn(reader: ObjectReader, { objects }: StatePart): Promise<Position[]> {
  const found: Position[] = [];
  for (const object of objects) {
    for (const line of await reader.lines(object)) {
      if (![POSITIONS, PARKED].includes(tableOfLine(line))) continue;
      // As text: a position may have more digits than a number of JavaScript.
      found.push(...(/"position":"?(\d+)/.exec(line)?.slice(1, 2) ?? []));
    }
  }
  return found;
}

/** Writes the rows back, those first that others refer to. Answers how many. */
export async function loadState(
  db: PoolClient,
  reader: ObjectReader,
  { objects, tables }: StatePart,
): Promise<number> {
  const ranks = await ranksOf(db, Object.keys(tables));
  let rows = 0;
  for (let rank = 0; rank <= Math.max(0, ...ranks.values()); rank += 1) {
    for (const object of objects) {
      const lines = await reader.lines(object);
      const ranked = lines.filter((line) => (ranks.get(tableOfLine(line)) ?? 0) === rank);
      for (const [table, ofTable] of Map.groupBy(ranked, tableOfLine)) {
        for (let begin = 0; begin < ofTable.length; begin += AT_ONCE)
          await insert(db, table, tables[table] ?? [], ofTable.slice(begin, begin + AT_ONCE));
      }
      rows += ranked.length;
    }
  }
  return rows;
}

async function insert(
  db: PoolClient,
  table: string,
  columns: readonly string[],
  lines: readonly string[],
): Promise<void> {
  const named = columns.map((column) => `"${column}"`).join(', ');
  await db.query(
    `insert into ${table} (${named}) overriding system value
     select ${named} from json_populate_recordset(null::${table},
       (select json_agg(line::json -> 1) from unnest($1::text[]) as line))`,
    [lines],
  );
}

/** 0 for a table that refers to no other of these, else one more than the highest that it refers to. */
async function ranksOf(db: PoolClient, tables: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await db.query<{ from: string; to: string }>(
    `select conrelid::regclass::text as from, confrelid::regclass::text as to
     from pg_catalog.pg_constraint where contype = 'f' and conrelid <> confrelid`,
  );
  const ranks = new Map(tables.map((table) => [table, 0]));
  for (let changed = true; changed; ) {
    changed = false;
    for (const { from, to } of rows) {
      const [rank, referred] = [ranks.get(from), ranks.get(to)];
      if (rank === undefined || referred === undefined || rank > referred) continue;
      ranks.set(from, referred + 1);
      changed = true;
    }
  }
  return ranks;
}

/** What the state says that is not so any more, once the log has been restored. Answers the messages that wait for the operator. */
export async function fitState(db: PoolClient, loaded: LoadedLog): Promise<number> {
  for (const table of [POSITIONS, PARKED]) {
    const { rows } = await db.query<{ process: string; position: string }>(
      `select process, position::text from ${table} order by position`,
    );
    for (const { process, position } of rows) {
      await db.query(`update ${table} set position = $3 where process = $1 and position = $2`, [
        ...[process, position],
        loaded.placeOf(position),
      ]);
    }
  }
  return holdWaiting(db, loaded.end, 'when the backup was taken');
}

/**
 * What waited at a moment, `then` in words, may have gone out since, and so may what followed the log up to `end`: the one becomes dead
 * letters, the other is not queued again. Answers how many became dead letters.
 */
export async function holdWaiting(db: PoolClient, end: Position, then: string): Promise<number> {
  await db.query(`update ${POSITIONS} set position = $1 where process = 'outbox'`, [end]);
  const { rowCount } = await db.query(
    `update state.outbox set delivery_status = 'dead', leased_until = null, settled_at = now(), failure = $1
     where delivery_status = 'waiting'`,
    [`waited ${then}, and may have gone out since`],
  );
  return rowCount ?? 0;
}
