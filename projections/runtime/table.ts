import type { Position } from '#core/event-store/port.ts';

/** A column's SQL type and whether it may be null; `Value` is what a row holds of it: instants as ISO 8601 text. */
export type Column<Value> = Readonly<{
  type: string;
  /** Says something of a person: Postgres takes no samples of it, because they would outlive the row. */
  isPersonal?: boolean;
  isNullable: boolean;
  isInstant: boolean;
  sample?: Value;
}>;

/** A table of a projection, of which it makes one for each version: everything about it that Postgres is told. */
export type Table<Columns extends Readonly<Record<string, Column<unknown>>> = AnyColumns> = Readonly<{
  name: string;
  /** By name, in their order. */
  columns: Columns;
  primaryKey: readonly [keyof Columns & string, ...(keyof Columns & string)[]];
  /** By the end of their names: what follows the table's name in `create index`. */
  indexes?: Readonly<Record<string, string>>;
  /** Sessions of requests see all rows, or only those of the business they name (core/decisions/038). */
  visible: 'to all sessions' | 'to one business';
}>;
type AnyColumns = Readonly<Record<string, Column<unknown>>>;

/** A row of a table as projections write it. */
export type RowOf<T extends { columns: AnyColumns }> = {
  readonly [Name in keyof T['columns']]: T['columns'][Name] extends Column<infer Value> ? Value : never;
};

function column<Value>(type: string, isInstant = false): Column<Value> {
  return { type, isNullable: false, isInstant };
}

/** Compared byte by byte: ids, and words that indexes begin with. */
export const code = <Value extends string = string>() => column<Value>('text collate "C"');
export const text = <Value extends string = string>() => column<Value>('text');
export const flag = () => column<boolean>('boolean');
export const integer = () => column<number>('integer');
export const count = () => column<number>('bigint');
/** A place in the log, which is compared by Postgres alone. */
export const position = () => column<Position>('bigint');
export const decimal = () => column<number>('double precision');
export const instant = () => column<string>('timestamptz', true);
export const json = <Value>() => column<Value>('jsonb');
export const personal = <Value>(of: Column<Value>): Column<Value> => ({ ...of, isPersonal: true });
export const nullable = <Value>(of: Column<Value>) => ({ ...of, isNullable: true }) as Column<Value | null>;

/** Says of a declaration that it is one, so that its columns keep their own types. */
export function declareTable<Columns extends AnyColumns>(table: Table<Columns>): Table<Columns> {
  return table;
}

/** `create table` with its key, for a build named `name`; `ending` ends the names of keys and indexes of side builds. */
export function createStatement({ columns, primaryKey }: Table, name: string, ending: string): string {
  const lines = Object.entries(columns).map(([column, { type, isNullable }]) => {
    return `${column} ${type}${isNullable ? '' : ' not null'}`;
  });
  const key = `constraint "${name}_pkey${ending}" primary key (${primaryKey.join(', ')})`;
  return `create table "read"."${name}${ending}" (${[...lines, key].join(', ')})`;
}

/** What keeps texts about people out of `pg_statistic`. Nothing is planned by their values. */
export function sampleStatements({ columns }: Table, quoted: string): string[] {
  const personal = Object.entries(columns).filter(([, { isPersonal }]) => isPersonal);
  if (personal.length === 0) return [];
  const changes = personal.map(([name]) => `alter column ${name} set statistics 0`);
  return [`alter table ${quoted} ${changes.join(', ')}`];
}

/** `create index` for each secondary index. */
export function indexStatements({ indexes = {} }: Table, name: string, ending: string): string[] {
  return Object.entries(indexes).map(([of, how]) => {
    return `create index "${name}_${of}${ending}" on "read"."${name}${ending}" ${how}`;
  });
}

/** The names of a live table's key and indexes. */
export function indexNames({ indexes = {} }: Table, name: string): string[] {
  return ['pkey', ...Object.keys(indexes)].map((of) => `${name}_${of}`);
}

/** The policy of a table that only one business sees, empty for others. Forced, because the application owns its tables. */
export function policyStatements({ visible }: Table, quoted: string): string[] {
  if (visible === 'to all sessions') return [];
  return [
    `drop policy if exists one_business on ${quoted}`,
    `create policy one_business on ${quoted} using (
      business_id = current_setting('ute.business', true) or current_setting('ute.business', true) = '*'
    )`,
    `alter table ${quoted} enable row level security, force row level security`,
  ];
}
