import { randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { WrongLogError } from '#core/event-store/log-origin.ts';
import type { LeafReader } from '#core/event-store/raw-log.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
import {
  type CheckpointBody,
  type CheckpointOutlet,
  type NoteVerifier,
  noteSigner,
  openNote,
  readCheckpoint,
  signNote,
} from '#core/proof/note.ts';
import { readProgress } from './tree.ts';

/**
 * The log under one name: another one begins where a restore lost events. `from` is how many events it took over, `end` how many the
 * next one did; `why` the signed note that says so, null of the first.
 */
export type Epoch = Readonly<{
  epoch: number;
  origin: string;
  from: number;
  end: number | null;
  why: string | null;
}>;

export async function readEpochs(db: Pool | PoolClient): Promise<Epoch[]> {
  const { rows } = await db.query<Epoch>(
    plannedOnce(
      `select epoch, origin, from_size::float8 as from, why,
         lead(from_size::float8) over (order by epoch) as "end" from proof.log order by epoch`,
      [],
    ),
  );
  return rows;
}

/** The newest epoch, whose origin is the log's name in its checkpoints; null before the first start of a process that signs. */
export async function readEpoch(db: Pool): Promise<Epoch | null> {
  return (await readEpochs(db)).at(-1) ?? null;
}

/** As `readEpoch`; makes the first one from `host`, such as `jobs.example.com`. Of two processes one makes it. */
export async function openEpoch(db: Pool, host: string): Promise<Epoch> {
  const origin = `${host}/log/${randomBytes(4).toString('hex')}`;
  await db.query(
    'insert into proof.log (epoch, origin, from_size) values (1, $1, 0) on conflict do nothing',
    [origin],
  );
  const epoch = await readEpoch(db);
  if (!epoch) throw new Error('proof.log has no row');
  return epoch;
}

/**
 * Begins an epoch of a restored log with `size` events, of which `last` had more. The note that says so is signed with `logKey` (32
 * bytes): a row that anyone can write is no excuse for events that are missing.
 */
export async function beginEpoch(
  db: PoolClient,
  last: CheckpointBody,
  { size, logKey, at }: Readonly<{ size: number; logKey: Buffer; at: Date }>,
): Promise<void> {
  const first = last.origin.replace(/\.\d+$/, '');
  await db.query(
    `insert into proof.log (epoch, origin, from_size)
     select 1, $1, 0 where not exists (select from proof.log)`,
    [first],
  );
  const next = ((await readEpochs(db)).at(-1)?.epoch ?? 0) + 1;
  const origin = `${first}.${next}`;
  const why = `continues ${last.origin} at ${size}; ${last.size - size} events up to ${last.size} were lost; restored ${at.toISOString()}`;
  const note = signNote(`${origin}/epoch\n${why}\n`, [noteSigner(origin, logKey)], at);
  await db.query('insert into proof.log (epoch, origin, from_size, why) values ($1, $2, $3, $4)', [
    ...[next, origin, size, note],
  ]);
}

/** What the note of an epoch says, if one of these keys (32 bytes each) signed it for this epoch; null otherwise. */
export function reasonOfEpoch({ origin, why }: Epoch, logKeys: readonly Buffer[]): string | null {
  const opened =
    why === null
      ? null
      : openNote(
          why,
          logKeys.map((key) => noteSigner(origin, key).verifier),
        );
  const [title, reason = null] = opened?.text.split('\n') ?? [];
  return opened && opened.signatures.length > 0 && title === `${origin}/epoch` ? reason : null;
}

/** What a note states, if it is a checkpoint of `origin` that one of these keys signed; null otherwise. */
export function signedCheckpoint(
  note: string,
  origin: string,
  verifiers: readonly NoteVerifier[],
): CheckpointBody | null {
  const opened = openNote(note, verifiers);
  const body = opened && opened.signatures.length > 0 ? readCheckpoint(opened.text) : null;
  return body?.origin === origin ? body : null;
}

/** Whether a checkpoint binds the log: of an epoch that another follows, only what that took over does. */
export function isBinding(epochs: readonly Epoch[], { origin, size }: CheckpointBody): boolean {
  const end = epochs.find((one) => one.origin === origin)?.end ?? null;
  return end === null || size <= end;
}

/**
 * Throws WrongLogError where the log ends before the newest checkpoint that is outside, as after a restore of the database to an
 * earlier moment: whatever is appended then stands where other events stood, and no epoch can say so any more. To be awaited before
 * anything is written. A place outside that cannot be read holds up no start.
 */
export async function refuseCutLog(
  db: Pool,
  log: LeafReader,
  outlet: Pick<CheckpointOutlet, 'newest'>,
  logKeys: readonly Buffer[],
): Promise<void> {
  const epoch = await readEpoch(db);
  const note = epoch && (await outlet.newest().catch(() => null));
  if (!epoch || !note) return;
  const verifiers = logKeys.map((key) => noteSigner(epoch.origin, key).verifier);
  const published = signedCheckpoint(note, epoch.origin, verifiers);
  if (!published) return;
  let { size, position } = await readProgress(db);
  while (size < published.size) {
    const leaves = await log.readLeaves(position, Math.min(4_096, published.size - size));
    if (leaves.length === 0)
      throw new WrongLogError(
        `The log ends at ${size}: ${published.size - size} events of checkpoint ${published.size} in CHECKPOINTS_TO are missing. ` +
          'Nothing was changed. If you took Postgres back to an earlier moment, run: bun run ute restore --after-pitr',
      );
    size += leaves.length;
    position = leaves.at(-1)?.position ?? position;
  }
}
