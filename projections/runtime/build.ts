import type { Projection, TableNames } from './projection.ts';

/**
 * One set of a projection's tables and its checkpoint: the live one, the next one while rebuilding,
 * or the one that `verify` compares with.
 */
export type Build = Readonly<{
  kind: 'live' | 'next' | 'check';
  /** Name of the checkpoint's row, of what is parked, and of the locks. */
  key: string;
  table: TableNames;
  /** Ends the names of a side build's tables, keys and indexes. */
  ending: string;
}>;

type Version = Pick<Projection, 'name' | 'version'>;

/** What one version of a projection goes by, so that releases can work side by side: `accounts`, then `accounts_v2`. */
export function keyOf({ name, version }: Version): string {
  return versioned(name, version);
}

/** The tables that are read and followed: `accounts`, of the second version `accounts_v2`. */
export function liveBuild(projection: Version): Build {
  return {
    kind: 'live',
    key: keyOf(projection),
    ending: '',
    table: (table) => `"read"."${tableOf(projection, table)}"`,
  };
}

/** A build beside the live one, in tables named `<live table>__<kind>`. */
export function sideBuild(projection: Version, kind: 'next' | 'check'): Build {
  const ending = `__${kind}`;
  return {
    kind,
    ending,
    key: `${keyOf(projection)}${ending}`,
    table: (table) => `"read"."${tableOf(projection, table)}${ending}"`,
  };
}

/** The unquoted name of a live table. */
export function tableOf({ version }: Pick<Projection, 'version'>, table: string): string {
  return versioned(table, version);
}

function versioned(name: string, version: number): string {
  return version === 1 ? name : `${name}_v${version}`;
}
