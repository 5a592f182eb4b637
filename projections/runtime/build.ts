import type { CheckpointTables, Projection, TableNames } from './projection.ts';

/** Where the checkpoints of the read models are stored. */
export const readModelCheckpoints: CheckpointTables = {
  positions: 'read.checkpoints',
  parked: 'read.projection_parked',
  follower: 'projection',
};

/**
 * One set of a projection's tables and its checkpoint: the live one, the next one while rebuilding,
 * or the one that `verify` compares with.
 */
export type Build = Readonly<{
  kind: 'live' | 'next' | 'check';
  /** Name of the checkpoint's row, of what is parked, and of the locks. */
  key: string;
  table: TableNames;
  /** Where its checkpoint is stored. */
  checkpoints: CheckpointTables;
  /** Ends the names of a side build's tables, keys and indexes. */
  ending: string;
}>;

type Version = Pick<Projection, 'name' | 'version' | 'checkpoints'>;

/** What one version of a projection goes by, so that releases can work side by side: `accounts`, then `accounts_v2`. */
export function keyOf({ name, version }: Pick<Projection, 'name' | 'version'>): string {
  return versioned(name, version);
}

/** The tables that are read and followed: `accounts`, of the second version `accounts_v2`. */
export function liveBuild(projection: Version): Build {
  return {
    kind: 'live',
    key: keyOf(projection),
    checkpoints: projection.checkpoints ?? readModelCheckpoints,
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
    checkpoints: readModelCheckpoints,
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

/** Held by the process that keeps the live tables of a key up. */
export const leadLock = (key: string): string => `lead ${key}`;

/** Held while the tables of a key are built anew or verified, by which others know that it is going on. */
export const rebuildLock = (key: string): string => `rebuild ${key}`;

/** Held while the tables of a key are exchanged, and shared by each batch that writes without locking the checkpoint first. */
export const exchangeLock = (key: string): string => `exchange ${key}`;

/** Shared by all processes that read the tables of a key. */
export const readerLock = (key: string): string => `use ${key}`;

/** A projection and what of it is built; several are built, all from the same position. */
export type Target = Readonly<{ projection: Projection; build: Build }>;
