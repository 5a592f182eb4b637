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
}>;

/** What one version of a projection goes by, so that releases can work side by side: `job-cards`, then `job-cards_v2`. */
export function keyOf({ name, version }: Pick<Projection, 'name' | 'version'>): string {
  return versioned(name, version);
}

/** The tables that are read and kept up: `job_cards`, of the second version `job_cards_v3`. */
export function liveBuild(projection: Projection): Build {
  return {
    kind: 'live',
    key: keyOf(projection),
    table: (table) => `"read"."${tableOf(projection, table)}"`,
  };
}

/** A build beside the live one, in tables named `<live table>__<kind>`. */
export function sideBuild(projection: Projection, kind: 'next' | 'check'): Build {
  return {
    kind,
    key: `${keyOf(projection)}__${kind}`,
    table: (table) => `"read"."${tableOf(projection, table)}__${kind}"`,
  };
}

/** The unquoted name of a live table. */
export function tableOf({ version }: Pick<Projection, 'version'>, table: string): string {
  return versioned(table, version);
}

function versioned(name: string, version: number): string {
  return version === 1 ? name : `${name}_v${version}`;
}
