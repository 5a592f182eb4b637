import type { Pool } from 'pg';
import { plannedOnce } from '#core/postgres/statement.ts';

/** How the proof of the log stands, for health, metrics and people. */
export type ProofStatus = Readonly<{
  /** Leaves of the tree. */
  size: number;
  /** Why it goes no further; null while it does. */
  stopped: string | null;
  /** The newest checkpoint; null before the first. */
  signed: Readonly<{ size: number; at: Date }> | null;
}>;

export async function readProofStatus(db: Pool): Promise<ProofStatus> {
  const { rows } = await db.query<{
    size: string;
    stopped: string | null;
    signed: string | null;
    at: Date | null;
  }>(
    plannedOnce(
      `select tree.size, tree.stopped, newest.size as signed, newest.made_at as at
      from proof.progress tree left join lateral (
        select size, made_at from proof.checkpoints order by epoch desc, size desc limit 1
      ) newest on true`,
      [],
    ),
  );
  const [row] = rows;
  if (!row) throw new Error('proof.progress has no row');
  const { size, stopped, signed, at } = row;
  return {
    size: Number(size),
    stopped,
    signed: signed === null || at === null ? null : { size: Number(signed), at },
  };
}
