import type { Projection, TableNames } from './projection.ts';

/**
 * One set of a projection's tables and its checkpoint: the live one, the next one while rebuilding,
 * or the one that `verify` compares with.
 */
export type Build = Readonly<{
  kind: 'live' | 'next' | 'check';
  /** Name of the checkpoint's row, and of what is parked. */
  key: string;
  table: TableNames;
}>;

export function liveBuild(projection: Projection): Build {
  return { kind: 'live', key: projection.name, table: (table) => `"read"."${table}"` };
}

/** A build beside the live one, in tables named `<table>__<kind>`. */
export function sideBuild(projection: Projection, kind: 'next' | 'check'): Build {
  return {
    kind,
    key: `${projection.name}__${kind}`,
    table: (table) => `"read"."${table}__${kind}"`,
  };
}
