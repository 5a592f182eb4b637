import type { Pool } from 'pg';
import type { Moment, ProofStatus } from '#api/deps.ts';
import { consistencyProof, inclusionProof, rootOf } from '#core/crypto/merkle.ts';
import { type NoteVerifier, openNote, parseVkey } from '#core/crypto/note.ts';
import { type Position, START } from '#core/event-store/port.ts';
import type { LeafReader } from '#core/event-store/raw-log.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
import { type CheckpointBody, readCheckpoint } from '#core/proof/checkpoint.ts';
import { FANOUT, readProgress, sha256, storedSubtrees } from './tree.ts';

export async function readProofStatus(db: Pool): Promise<ProofStatus> {
  const { rows } = await db.query<{
    size: string;
    stopped: string | null;
    signed: string | null;
    at: Date | null;
    audited_size: string | null;
    audited_at: Date | null;
    audit_fault: string | null;
  }>(
    plannedOnce(
      `select tree.size, tree.stopped, newest.size as signed, newest.made_at as at,
        tree.audited_size, tree.audited_at, tree.audit_fault
      from proof.progress tree left join lateral (
        select size, made_at from proof.checkpoints order by epoch desc, size desc limit 1
      ) newest on true`,
      [],
    ),
  );
  const [row] = rows;
  if (!row) throw new Error('proof.progress has no row');
  const { size, stopped, signed, at, audited_size: audited, audited_at: auditedAt } = row;
  return {
    size: Number(size),
    stopped,
    signed: signed === null || at === null ? null : { size: Number(signed), at },
    audited:
      audited === null || auditedAt === null
        ? null
        : { size: Number(audited), at: auditedAt, fault: row.audit_fault },
  };
}

/**
 * A signed statement of how many leaves the log had, and their root. `cosignatures` are the lines by which witnesses signed it too:
 * they go below the note, and are empty without.
 */
export type Checkpoint = CheckpointBody &
  Readonly<{ epoch: number; note: string; cosignatures: string; madeAt: Date }>;

type Row = { epoch: number; note: string; cosignatures: string; made_at: Date };

const COLUMNS = `epoch, note, made_at, (
    select coalesce(string_agg(convert_from(answer, 'UTF8'), '' order by source), '') from proof.attestations
    where attestations.epoch = checkpoints.epoch and attestations.size = checkpoints.size and kind = 'cosignature'
  ) as cosignatures`;

/** The newest checkpoint, or the one of this size in the newest epoch that has one; null when there is none. */
export async function findCheckpoint(db: Pool, size?: number): Promise<Checkpoint | null> {
  const { rows } = await db.query<Row>(
    size === undefined
      ? plannedOnce(`select ${COLUMNS} from proof.checkpoints order by epoch desc, size desc limit 1`, [])
      : plannedOnce(`select ${COLUMNS} from proof.checkpoints where size = $1 order by epoch desc limit 1`, [
          size,
        ]),
  );
  return rows.map(toCheckpoint)[0] ?? null;
}

/** The newest checkpoints, newest first. */
export async function listCheckpoints(db: Pool, limit: number): Promise<Checkpoint[]> {
  const { rows } = await db.query<Row>(
    plannedOnce(`select ${COLUMNS} from proof.checkpoints order by epoch desc, size desc limit $1`, [limit]),
  );
  return rows.map(toCheckpoint);
}

function toCheckpoint({ epoch, note, cosignatures, made_at: madeAt }: Row): Checkpoint {
  const body = readCheckpoint(openNote(note, [])?.text ?? '');
  if (!body) throw new Error('a stored checkpoint is not a note');
  return { ...body, epoch, note, cosignatures, madeAt };
}

/** A time stamp (RFC 3161) of the text of a checkpoint: the authority's address, and its whole answer in DER. */
export type StoredTimestamp = Readonly<{ source: string; answer: Buffer; at: Date }>;

/** The time stamps of a checkpoint, oldest first. */
export async function readTimestamps(
  db: Pool,
  { epoch, size }: Pick<Checkpoint, 'epoch' | 'size'>,
): Promise<StoredTimestamp[]> {
  const { rows } = await db.query<StoredTimestamp>(
    plannedOnce(
      `select source, answer, at from proof.attestations
      where epoch = $1 and size = $2 and kind = 'timestamp' order by at, source`,
      [epoch, size],
    ),
  );
  return rows;
}

/**
 * Of the checkpoints of an epoch with more than `above` leaves and at most `upTo`: the newest that a witness signed, and the first of
 * which a time stamp says that it existed. One, where they are the same.
 */
export async function listAttested(
  db: Pool,
  { epoch, above, upTo }: Readonly<{ epoch: number; above: number; upTo: number }>,
): Promise<Checkpoint[]> {
  const { rows } = await db.query<Row>(
    plannedOnce(
      `select ${COLUMNS} from proof.checkpoints where epoch = $1 and size in (
        (select size from proof.attestations where epoch = $1 and size > $2 and size <= $3 and kind = 'cosignature'
          order by size desc limit 1)
        union all
        (select size from proof.attestations where epoch = $1 and size > $2 and size <= $3 and kind = 'timestamp'
          order by size limit 1)
      ) order by size`,
      [epoch, above, upTo],
    ),
  );
  return rows.map(toCheckpoint);
}

/** The root of the first `size` leaves, which the tree has reached. */
export function readRoot(db: Pool, log: LeafReader, size: number): Promise<Uint8Array> {
  return rootOf(sha256, storedSubtrees(db, log), size);
}

/** The hashes that show that the log of `from` leaves is in that of `to`; null when the tree does not have so many. */
export async function provesConsistency(
  db: Pool,
  log: LeafReader,
  { from, to }: Readonly<{ from: number; to: number }>,
): Promise<Uint8Array[] | null> {
  const { size } = await readProgress(db);
  return to > size ? null : consistencyProof(sha256, storedSubtrees(db, log), { from, to });
}

/** The notes by which one key of the log named the next, oldest first. */
export async function readHandovers(db: Pool): Promise<string[]> {
  const { rows } = await db.query<{ note: string }>(
    plannedOnce('select note from proof.handovers order by made_at, to_vkey', []),
  );
  return rows.map(({ note }) => note);
}

/** Where an event stands among the leaves, from 0; null while the tree has not come to its position. */
export async function findLeaf(db: Pool, log: LeafReader, position: Position): Promise<number | null> {
  const { size } = await readProgress(db);
  const { rows } = await db.query<{ n: number; after: Position }>(
    plannedOnce(
      'select n, after_position::text as after from proof.marks where after_position < $1 order by n desc limit 1',
      [position],
    ),
  );
  const [mark] = rows;
  if (!mark) return null;
  const leaves = await log.readLeaves(mark.after, FANOUT);
  const place = leaves.findIndex((leaf) => leaf.position === position);
  const index = mark.n * FANOUT + place;
  return place >= 0 && index < size ? index : null;
}

/** Where the last of the first `size` leaves stands in the log; null while the tree has not come so far. */
export async function findPosition(db: Pool, log: LeafReader, size: number): Promise<Position | null> {
  const { rows } = await db.query<{ after: Position }>(
    plannedOnce('select after_position::text as after from proof.marks where n = $1', [
      Math.floor((size - 1) / FANOUT),
    ]),
  );
  const [mark] = rows;
  if (!mark || size < 1 || size > (await readProgress(db)).size) return null;
  const leaves = await log.readLeaves(mark.after, ((size - 1) % FANOUT) + 1);
  return leaves[(size - 1) % FANOUT]?.position ?? null;
}

/** How far behind the tree an instant may lie that is still looked up, in events. */
const MOST_BEYOND = 16 * FANOUT;

/**
 * How far the log was at an instant: up to the last event that was written then or before, where subtrees begin by their marks. Null
 * where the tree has not come so far.
 */
export async function findMoment(db: Pool, log: LeafReader, at: Date): Promise<Moment | null> {
  const { rows } = await db.query<{ n: number; after: Position }>(
    plannedOnce(
      'select n, after_position::text as after from proof.marks where at <= $1 order by n desc limit 1',
      [at],
    ),
  );
  const [mark] = rows;
  if (!mark) return (await readProgress(db)).size === 0 ? null : { size: 0, position: START };
  const first = mark.n * FANOUT;
  let [moment, after, read]: [Moment, Position, number] = [
    { size: first, position: mark.after },
    mark.after,
    0,
  ];
  while (read < MOST_BEYOND) {
    const leaves = await log.readLeaves(after, FANOUT);
    const last = leaves.findLastIndex((leaf) => Date.parse(leaf.at) <= at.getTime());
    const leaf = leaves[last];
    if (leaf) moment = { size: first + read + last + 1, position: leaf.position };
    // Only the last mark has more events behind it than its subtree holds: those that the tree has not come to.
    if (last < leaves.length - 1 || leaves.length < FANOUT) return moment;
    read += leaves.length;
    after = leaf?.position ?? after;
  }
  return null;
}

/** For each of these leaves the hashes that show that it is in the log of `size` leaves, which the tree has reached. */
export async function provesInclusion(
  db: Pool,
  log: LeafReader,
  { indexes, size }: Readonly<{ indexes: readonly number[]; size: number }>,
): Promise<Uint8Array[][]> {
  const subtree = storedSubtrees(db, log);
  const proofs: Uint8Array[][] = [];
  for (const index of indexes) proofs.push(await inclusionProof(sha256, subtree, { index, size }));
  return proofs;
}

/** The keys that the database names for this log, oldest first. What was handed on to others counts more than they. */
export async function readProofKeys(db: Pool): Promise<NoteVerifier[]> {
  const { rows } = await db.query<{ vkey: string }>(
    plannedOnce('select vkey from proof.keys order by from_size, vkey', []),
  );
  return rows.flatMap(({ vkey }) => parseVkey(vkey) ?? []);
}

/**
 * When each of these sources attested last, null for one that never did, and since when there is a checkpoint that it did not
 * attest to, null while there is none.
 */
export async function readUnattested(
  db: Pool,
  sources: readonly string[],
): Promise<Readonly<{ source: string; at: Date | null; since: Date | null }>[]> {
  const { rows } = await db.query<{ source: string; at: Date | null; since: Date | null }>(
    `select source, at, (select min(made_at) from proof.checkpoints
       where (epoch, size) > (coalesce(last.epoch, 0), coalesce(last.size, 0))) as since
     from unnest($1::text[]) named (source) left join lateral (
       select epoch, size, at from proof.attestations where attestations.source = named.source
       order by epoch desc, size desc limit 1) last on true`,
    [sources],
  );
  return rows;
}

/** The newest of what each witness and each time stamp authority attested. */
export async function readAttestations(
  db: Pool,
): Promise<Readonly<{ kind: 'cosignature' | 'timestamp'; source: string; size: number; at: Date }>[]> {
  const { rows } = await db.query<{
    kind: 'cosignature' | 'timestamp';
    source: string;
    size: string;
    at: Date;
  }>(
    plannedOnce(
      `select distinct on (kind, source) kind, source, size, at from proof.attestations
      order by kind, source, epoch desc, size desc`,
      [],
    ),
  );
  return rows.map(({ size, ...row }) => ({ ...row, size: Number(size) }));
}
