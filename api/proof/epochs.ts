import { randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { type NoteVerifier, noteSigner, openNote, signNote } from '#core/crypto/note.ts';
import { WrongLogError } from '#core/event-store/log-origin.ts';
import type { LeafReader } from '#core/event-store/raw-log.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
import { type CheckpointBody, type CheckpointOutlet, readCheckpoint } from '#core/proof/checkpoint.ts';
import { readProgress } from './tree.ts';

/**
 * The log under one name: another one begins where a restore lost events. `from` is how many events it took over; `why` the signed
 * note that says so, null of the first.
 */
export type Epoch = Readonly<{ epoch: number; origin: string; from: number; why: string | null }>;

/** `jobs.example.com/log/00000000.2`: the log, and the number of its epoch. The first has none. */
const EPOCH = /\.(\d+)$/;
const numberOf = (origin: string) => Number(EPOCH.exec(origin)?.[1] ?? 1);
const logOf = (origin: string) => origin.replace(EPOCH, '');

export async function readEpochs(db: Pool | PoolClient): Promise<Epoch[]> {
  const { rows } = await db.query<Epoch>(
    plannedOnce('select epoch, origin, from_size::float8 as from, why from proof.log order by epoch', []),
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
 * Begins an epoch of a restored log that has the first `size` events of `last`, under a number that neither the database nor `last`
 * has. The note that says so is signed with `logKey` (32 bytes): a row that anyone can write is no excuse for events that are missing.
 */
export async function beginEpoch(
  db: PoolClient,
  last: CheckpointBody,
  { size, logKey, at }: Readonly<{ size: number; logKey: Buffer; at: Date }>,
): Promise<void> {
  const first = logOf(last.origin);
  await db.query(
    `insert into proof.log (epoch, origin, from_size)
     select 1, $1, 0 where not exists (select from proof.log)`,
    [first],
  );
  const next = Math.max(numberOf(last.origin), (await readEpochs(db)).at(-1)?.epoch ?? 0) + 1;
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

/** What a note states, if it is a checkpoint that one of these keys (32 bytes each) signed under the origin that it names. */
export function ownCheckpoint(note: string, logKeys: readonly Buffer[]): CheckpointBody | null {
  const { origin } = readCheckpoint(openNote(note, [])?.text ?? '') ?? {};
  if (origin === undefined) return null;
  return signedCheckpoint(
    note,
    origin,
    logKeys.map((key) => noteSigner(origin, key).verifier),
  );
}

/** The newest by epoch, and in it by size. */
export function newestOf(checkpoints: readonly CheckpointBody[]): CheckpointBody | undefined {
  return checkpoints.toSorted((a, b) => numberOf(a.origin) - numberOf(b.origin) || a.size - b.size).at(-1);
}

/** Whether a checkpoint is of a later epoch of this log than any of these. */
export function isLaterThan(epochs: readonly Epoch[], { origin }: CheckpointBody): boolean {
  const newest = epochs.at(-1);
  return newest !== undefined && logOf(newest.origin) === logOf(origin) && numberOf(origin) > newest.epoch;
}

/** Whether a checkpoint binds the log: of an epoch that others follow, only what all of them took over does. */
export function isBinding(epochs: readonly Epoch[], { origin, size }: CheckpointBody): boolean {
  return epochs.every(
    (one) => logOf(one.origin) !== logOf(origin) || one.epoch <= numberOf(origin) || size <= one.from,
  );
}

/**
 * The epochs that a key of ours began: one of these keys (32 bytes each) signed the note, or a checkpoint of it is `outside`. By a row
 * alone no checkpoint ceases to bind: who may write into the database would hide by it what is missing from the log.
 */
export function begunByUs(
  epochs: readonly Epoch[],
  outside: readonly CheckpointBody[],
  logKeys: readonly Buffer[],
): Epoch[] {
  return epochs.filter(
    (one) =>
      one.epoch === 1 ||
      reasonOfEpoch(one, logKeys) !== null ||
      outside.some(({ origin }) => origin === one.origin),
  );
}

/**
 * Throws WrongLogError where the log ends before the newest checkpoint that is outside, or that is of an epoch which the database does
 * not know, as after a restore of the database to an earlier moment: whatever is appended then stands where other events stood, and no
 * epoch can say so any more. To be awaited before anything is written. A place outside that cannot be read holds up no start.
 */
export async function refuseCutLog(
  db: Pool,
  log: LeafReader,
  outlet: Pick<CheckpointOutlet, 'newest'>,
  logKeys: readonly Buffer[],
): Promise<void> {
  const epochs = await readEpochs(db);
  const note = epochs.length > 0 && (await outlet.newest().catch(() => null));
  const published = note ? ownCheckpoint(note, logKeys) : null;
  if (!published) return;
  if (isLaterThan(epochs, published))
    throw new WrongLogError(
      `The database is older than checkpoint ${published.size} in CHECKPOINTS_TO: it knows nothing of epoch ${numberOf(published.origin)} of the log. ${whatToRun}`,
    );
  if (logOf(published.origin) !== logOf(epochs.at(-1)?.origin ?? '') || !isBinding(epochs, published)) return;
  let { size, position } = await readProgress(db);
  while (size < published.size) {
    const leaves = await log.readLeaves(position, Math.min(4_096, published.size - size));
    if (leaves.length === 0)
      throw new WrongLogError(
        `The log ends at ${size}: ${published.size - size} events of checkpoint ${published.size} in CHECKPOINTS_TO are missing. ${whatToRun}`,
      );
    size += leaves.length;
    position = leaves.at(-1)?.position ?? position;
  }
}

const whatToRun =
  'Nothing was changed. If you took Postgres back to an earlier moment, run: bun run ute restore --after-pitr';
