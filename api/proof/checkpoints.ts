import type { Pool } from 'pg';
import { equalBytes } from '#core/crypto/merkle.ts';
import { type NoteSigner, noteSigner, signNote } from '#core/crypto/note.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
import { type CheckpointBody, writeCheckpoint } from '#core/proof/checkpoint.ts';
import type { Epoch } from './epochs.ts';
import type { Checkpoint } from './read.ts';

/** Seeds of 32 bytes: of the key that signs, and of the one that states when. */
export type LogKeys = Readonly<{ key: Buffer; clock: Buffer }>;

/** Signs with the installation's key, and states when: both in the name of the log. */
export function signersOf(origin: string, { key, clock }: LogKeys): NoteSigner[] {
  return [noteSigner(origin, key), noteSigner(origin, clock, 'cosignature')];
}

/** Notes the public halves of all who sign, from the size on at which they first do; others signed up to the size before. */
export async function noteKeys(db: Pool, signers: readonly NoteSigner[], fromSize: number): Promise<void> {
  const vkeys = signers.map(({ verifier }) => verifier.vkey);
  await db.query(
    plannedOnce(
      `insert into proof.keys (vkey, from_size) select *, $2 from unnest($1::text[])
      on conflict (vkey) do update set until_size = null where keys.until_size is not null`,
      [vkeys, fromSize],
    ),
  );
  await db.query(
    plannedOnce(
      `update proof.keys set until_size = (select max(size) from proof.checkpoints)
      where until_size is null and not vkey = any($1::text[])`,
      [vkeys],
    ),
  );
}

/**
 * When `to` took over from `from`: now, if it has not. A note that both sign says so, from this size on: who trusts the key
 * before learns of the next.
 */
export async function handOver(
  db: Pool,
  { from, to, size, at }: Readonly<{ from: NoteSigner; to: NoteSigner; size: number; at: Date }>,
): Promise<Date> {
  const [old, next] = [from.verifier, to.verifier];
  const text = `${next.name}/key\n${old.vkey}\n${next.vkey}\n${size}\n`;
  await db.query(
    plannedOnce(
      'insert into proof.handovers (from_vkey, to_vkey, note, made_at) values ($1, $2, $3, $4) on conflict do nothing',
      [old.vkey, next.vkey, signNote(text, [from, to], at), at],
    ),
  );
  const { rows } = await db.query<{ at: Date }>(
    plannedOnce('select made_at as at from proof.handovers where from_vkey = $1 and to_vkey = $2', [
      ...[old.vkey, next.vkey],
    ]),
  );
  return rows[0]?.at ?? at;
}

/**
 * Of checkpoints older than a day the last of each hour stays, of those older than 90 days the last of each day; the last of
 * those that others attested; and each that went out in a mail. Looked at with the first checkpoint of an hour: all that went out are.
 */
const thinOut = `
  delete from proof.checkpoints old
  where not exists (
      select from proof.checkpoints of_hour
      where of_hour.epoch = $2 and of_hour.made_at >= date_trunc('hour', $1::timestamptz, 'UTC') and of_hour.size <> $3)
    and old.made_at < $1::timestamptz - interval '1 day'
    and not exists (select from proof.handed_out h where h.epoch = old.epoch and h.size = old.size)
    and exists (
      select from proof.checkpoints later
      where later.epoch = old.epoch and later.size > old.size
        and later.made_at >= date_trunc('day', old.made_at, 'UTC')
        and later.made_at < date_trunc('day', old.made_at, 'UTC') + interval '1 day'
        and date_trunc(case when old.made_at < $1::timestamptz - interval '90 days' then 'day' else 'hour' end, later.made_at, 'UTC')
          = date_trunc(case when old.made_at < $1::timestamptz - interval '90 days' then 'day' else 'hour' end, old.made_at, 'UTC')
        and (not exists (select from proof.attestations a where a.epoch = old.epoch and a.size = old.size)
          or exists (select from proof.attestations a where a.epoch = later.epoch and a.size = later.size)))`;

/** Signs and stores; null when another process stored one of this size before. */
export async function storeCheckpoint(
  db: Pool,
  { epoch, origin }: Pick<Epoch, 'epoch' | 'origin'>,
  { size, root }: Readonly<{ size: number; root: Uint8Array }>,
  signers: readonly NoteSigner[],
  at: Date,
): Promise<Checkpoint | null> {
  const note = signNote(writeCheckpoint({ origin, size, root }), signers, at);
  const { rowCount } = await db.query(
    plannedOnce(
      'insert into proof.checkpoints (epoch, size, note, made_at) values ($1, $2, $3, $4) on conflict do nothing',
      [epoch, size, note, at],
    ),
  );
  if (rowCount === 0) return null;
  await db.query(plannedOnce(thinOut, [at, epoch, size]));
  return { origin, size, root, epoch, note, cosignatures: '', madeAt: at };
}

/** Whether a tree whose root at the size of `checkpoint` is `root` contains it. */
export function contains(root: Uint8Array, checkpoint: Pick<CheckpointBody, 'root'>): boolean {
  return equalBytes(root, checkpoint.root);
}
