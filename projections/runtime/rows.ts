import type { PoolClient } from 'pg';
import type { RecordedEvent } from '#core/event-store/port.ts';
import { type Category, parseStreamName } from '#core/kernel/stream-name.ts';
import { type Cell, copyIn, copyLine } from '#core/postgres/copy-in.ts';
import type { StreamBuffer, StreamRow, TableNames, Transition } from './projection.ts';
import type { Table } from './table.ts';

/** How the events of a stream become its row; the stream's id is the table's key. */
export type RowFold<Row extends StreamRow> = Readonly<{
  table: Table;
  category: Category;
  /** The row after an event, undefined while nothing has opened it. Never throws on an event. */
  evolve(row: Row | undefined, event: RecordedEvent): Omit<Row, 'revision'> | undefined;
  /** The last event of a stream, with which its row goes. */
  isEnd?(event: RecordedEvent): boolean;
}>;

/** How the events of a stream become what is known of it: a row, or what several rows hold together. */
export type StreamFold<State extends StreamRow> = Readonly<{
  category: Category;
  /** What is stored of these streams now, by id. */
  read(ids: readonly string[]): Promise<Map<string, State>>;
  idOf(state: State): string;
  evolve(state: State | undefined, event: RecordedEvent): Omit<State, 'revision'> | undefined;
}>;

/**
 * Folds the events of `fold.category` over the rows they belong to and writes the rows that moved, in one statement; deletes those
 * whose streams ended, and answers them as they were.
 * An event that a row has already seen, by revision, changes nothing.
 */
export async function foldRows<Row extends StreamRow>(
  db: PoolClient,
  table: TableNames,
  fold: RowFold<Row>,
  events: readonly RecordedEvent[],
): Promise<Transition<Row>[]> {
  const key = fold.table.primaryKey[0] as keyof Row & string;
  const { category, evolve } = fold;
  const read = (ids: readonly string[]) => readRows<Row>(db, table(fold.table.name), key, ids);
  const transitions = await foldStreams({ category, read, evolve, idOf: (row) => String(row[key]) }, events);
  const ended = endedIds(fold, events);
  const rows = transitions.map(({ after }) => after).filter((row) => !ended.includes(String(row[key])));
  await upsertRows(db, table, fold.table, rows);
  if (ended.length > 0)
    await db.query(`delete from ${table(fold.table.name)} where ${key} = any($1)`, [ended]);
  return transitions;
}

function endedIds<Row extends StreamRow>(
  { category, isEnd }: RowFold<Row>,
  events: readonly RecordedEvent[],
): string[] {
  if (!isEnd) return [];
  return events.filter(isEnd).flatMap(({ stream }) => {
    const { category: of, id } = parseStreamName(stream);
    return of === category ? [id] : [];
  });
}

/**
 * Folds the events of `fold.category` over what is stored, and answers what moved; writes nothing. With a buffer, what it
 * holds of a stream counts as stored, and of a stream that begins among the events nothing is stored yet.
 */
export async function foldStreams<State extends StreamRow>(
  fold: StreamFold<State>,
  events: readonly RecordedEvent[],
  buffer?: StreamBuffer<State>,
): Promise<Transition<State>[]> {
  const streams = groupByStream(fold.category, events);
  if (streams.size === 0) return [];
  const wanted = [...streams]
    .filter(([id, [first]]) => !buffer || (buffer.get(id) === undefined && first?.revision !== 0))
    .map(([id]) => id);
  const stored = wanted.length > 0 ? await fold.read(wanted) : new Map<string, State>();
  const transitions: Transition<State>[] = [];
  for (const [id, history] of streams) {
    const before = buffer?.get(id) ?? stored.get(id);
    const after = history.reduce((state, event) => step(fold, id, state, event), before);
    if (after !== undefined && after !== before) transitions.push({ before, after });
  }
  return transitions;
}

function step<State extends StreamRow>(
  fold: StreamFold<State>,
  id: string,
  state: State | undefined,
  event: RecordedEvent,
): State | undefined {
  if (state !== undefined && event.revision <= state.revision) return state;
  const next = fold.evolve(state, event);
  if (next === undefined) return state;
  const after = withRevision(next, event.revision) as State;
  // An event that names another stream's id must not reach it.
  return fold.idOf(after) === id ? after : state;
}

/** Most folds count revisions themselves: they need no copy. */
function withRevision<T extends object>(next: T, revision: number): T & StreamRow {
  return 'revision' in next && next.revision === revision ? (next as T & StreamRow) : { ...next, revision };
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

/** They need no locks of their own: a process that writes a build's tables holds its checkpoint. */
async function readRows<Row extends StreamRow>(
  db: PoolClient,
  table: string,
  key: string,
  ids: readonly string[],
): Promise<Map<string, Row>> {
  const { rows } = await db.query<{ id: string; row: Row }>(
    `select ${key} as id, to_json(live) as row from ${table} as live where ${key} = any($1)`,
    [ids],
  );
  return new Map(rows.map(({ id, row }) => [id, row]));
}

/** Writes rows, each in the place of the one with its key, in one statement. */
async function upsertRows(
  db: PoolClient,
  table: TableNames,
  declared: Table,
  rows: readonly object[],
): Promise<void> {
  if (rows.length === 0) return;
  const quoted = table(declared.name);
  await db.query({
    // Named, so that it is read once: no plan of it depends on how full the table was then.
    name: `upsert ${quoted}`,
    text: upsertStatement(quoted, declared, '$1'),
    values: [JSON.stringify(rows)],
  });
}

/**
 * Writes the rows of a JSON array, each in the place of the one with its key, if `condition` holds; where they have a
 * revision, a later one wins.
 */
export function upsertStatement(
  quoted: string,
  { columns, primaryKey }: Table,
  parameter: string,
  condition = 'true',
): string {
  const names = Object.keys(columns);
  const updates = names
    .filter((name) => !primaryKey.includes(name))
    .map((name) => `${name} = excluded.${name}`);
  return `insert into ${quoted} as live (${names.join(', ')})
    select ${names.join(', ')} from json_populate_recordset(null::${quoted}, ${parameter}) where ${condition}
    on conflict (${primaryKey.join(', ')}) do update set ${updates.join(', ')}
    ${names.includes('revision') ? 'where excluded.revision > live.revision' : ''}`;
}

/**
 * Writes rows by COPY, of which the table has none yet. Throws what Postgres throws of a row that it refuses or has
 * already, RangeError for text that is not well-formed.
 */
export async function copyRows(
  db: PoolClient,
  quoted: string,
  { columns, visible }: Table,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = Object.keys(columns);
  const isJson = Object.values(columns).map(({ type }) => type === 'jsonb');
  const toLine = (row: Readonly<Record<string, unknown>>) =>
    copyLine(
      names.map((name, index) => {
        const value = row[name] ?? null;
        return isJson[index] && value !== null ? JSON.stringify(value) : (value as Cell);
      }),
    );
  const lines = rows.map(toLine).join('');
  // As UTF-8 it would silently become another text; JSON, which upserts use, is refused by Postgres.
  if (!lines.isWellFormed()) throw new RangeError('text is not well-formed');
  const isGuarded = visible === 'to one business';
  // COPY is refused under a forced policy; for every other transaction the table has it all the time.
  if (isGuarded) await db.query(`alter table ${quoted} no force row level security`);
  await copyIn(db, `copy ${quoted} (${names.join(', ')}) from stdin`, [lines]);
  if (isGuarded) await db.query(`alter table ${quoted} force row level security`);
}
