import type { PoolClient } from 'pg';
import type { RecordedEvent } from '#core/event-store/port.ts';
import { type Category, parseStreamName } from '#core/kernel/stream-name.ts';
import type { TableNames } from './projection.ts';

/** A row that stands for one stream. Columns are named as in the table; instants are ISO strings. */
export type StreamRow = Readonly<{ revision: number }>;

/** How the events of a stream become its row. */
export type RowFold<Row extends StreamRow> = Readonly<{
  table: string;
  category: Category;
  /** The column that holds the stream's id. */
  key: keyof Row & string;
  columns: readonly (keyof Row & string)[];
  /** The row after an event, undefined while nothing has opened it. Never throws on a fact. */
  evolve(row: Row | undefined, event: RecordedEvent): Omit<Row, 'revision'> | undefined;
}>;

/** What a batch made of one row. */
export type Transition<Row extends StreamRow> = Readonly<{ before: Row | undefined; after: Row }>;

/**
 * Folds the events of `fold.category` over the rows they belong to and writes the rows that moved, in one statement.
 * An event that a row has already seen, by revision, changes nothing.
 */
export async function foldRows<Row extends StreamRow>(
  db: PoolClient,
  table: TableNames,
  fold: RowFold<Row>,
  events: readonly RecordedEvent[],
): Promise<Transition<Row>[]> {
  const streams = groupByStream(fold.category, events);
  if (streams.size === 0) return [];
  const stored = await readRows(db, table(fold.table), fold, [...streams.keys()]);
  const transitions: Transition<Row>[] = [];
  for (const [id, history] of streams) {
    const before = stored.get(id);
    const after = history.reduce((row, event) => step(fold, id, row, event), before);
    if (after !== undefined && after !== before) transitions.push({ before, after });
  }
  await upsertRows(
    db,
    table(fold.table),
    fold,
    transitions.map(({ after }) => after),
  );
  return transitions;
}

function step<Row extends StreamRow>(
  fold: RowFold<Row>,
  id: string,
  row: Row | undefined,
  event: RecordedEvent,
): Row | undefined {
  if (row !== undefined && event.revision <= row.revision) return row;
  const next = fold.evolve(row, event);
  if (next === undefined) return row;
  const after = { ...next, revision: event.revision } as Row;
  // A fact that names another stream's row must not reach it.
  return after[fold.key] === id ? after : row;
}

function groupByStream(category: Category, events: readonly RecordedEvent[]): Map<string, RecordedEvent[]> {
  const streams = new Map<string, RecordedEvent[]>();
  for (const event of events) {
    const { category: of, id } = parseStreamName(event.stream);
    if (of !== category || event.event === undefined) continue;
    const history = streams.get(id);
    if (history) history.push(event);
    else streams.set(id, [event]);
  }
  return streams;
}

/** They need no locks of their own: whoever writes a build's tables holds its checkpoint. */
async function readRows<Row extends StreamRow>(
  db: PoolClient,
  table: string,
  fold: RowFold<Row>,
  ids: readonly string[],
): Promise<Map<string, Row>> {
  const { rows } = await db.query<{ id: string; row: Row }>(
    `select ${fold.key} as id, to_json(live) as row from ${table} as live
     where ${fold.key} = any($1)`,
    [ids],
  );
  return new Map(rows.map(({ id, row }) => [id, row]));
}

async function upsertRows<Row extends StreamRow>(
  db: PoolClient,
  table: string,
  fold: RowFold<Row>,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = fold.columns.join(', ');
  const updates = fold.columns.filter((column) => column !== fold.key);
  await db.query({
    // Named, so that it is read once: no plan of it depends on how full the table was then.
    name: `upsert ${table}`,
    text: `insert into ${table} as live (${columns})
      select ${columns} from json_populate_recordset(null::${table}, $1)
      on conflict (${fold.key}) do update
      set ${updates.map((column) => `${column} = excluded.${column}`).join(', ')}
      where excluded.revision > live.revision`,
    values: [JSON.stringify(rows)],
  });
}
