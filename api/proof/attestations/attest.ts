import type { Pool } from 'pg';
import { type Checkpoint, findCheckpoint, provesConsistency } from '#api/proof/read.ts';
import { sha256 } from '#api/proof/tree.ts';
import { openNote } from '#core/crypto/note.ts';
import type { LeafReader } from '#core/event-store/raw-log.ts';
import { pause } from '#core/kernel/pause.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
import type { TimestampAuthority, Witness } from '#core/proof/checkpoint.ts';
import { type Log, reasonOf, silentLog } from '#projections/runtime/failure.ts';
import { leadWhenPossible } from '#projections/runtime/leader.ts';

/** How often witnesses are asked, in milliseconds, and how often the authority is. */
const POLL = 10 * 60_000;
const DAY = 24 * 60 * 60_000;

/** Why one of them attested to nothing: its message is logged. */
class NotAttestedError extends Error {
  override readonly name = 'NotAttestedError';
}

export type AttestOptions = Readonly<{
  pool: Pool;
  log: LeafReader;
  connectionString: string;
  witnesses: readonly Witness[];
  authority: TimestampAuthority | null;
  now: () => Date;
  logger?: Log;
  pollMs?: number;
}>;

/**
 * Hands the newest checkpoint to the witnesses, and once a day to the time stamp authority, in whichever process of the database
 * leads. The product never waits for them; who does not answer is asked again at the next turn.
 */
export function startAttesting(options: AttestOptions): { stop(): Promise<void> } {
  const { connectionString, logger = silentLog, pollMs = POLL } = options;
  const stopping = new AbortController();
  const lead = { keys: ['attestations'], connectionString, log: logger, signal: stopping.signal };
  const running = leadWhenPossible(lead, async (_, signal) => {
    while (!signal.aborted) {
      await attestOnce(options, logger).catch((error: unknown) =>
        logger.warn({ event: 'attestation-failed', reason: reasonOf(error) }),
      );
      await pause(pollMs, signal);
    }
  });
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Asks all for the newest checkpoint, at once. What one of them does not do is logged. Exported for tests. */
export async function attestOnce(options: AttestOptions, logger: Log): Promise<void> {
  const checkpoint = await findCheckpoint(options.pool);
  if (!checkpoint) return;
  const { witnesses, authority } = options;
  await Promise.all([
    ...witnesses.map((witness) =>
      logged(logger, witness.verifier.name, () => ask(options, witness, checkpoint)),
    ),
    ...(authority
      ? [logged(logger, authority.source, () => stampWhenDue(options, authority, checkpoint))]
      : []),
  ]);
}

async function logged(logger: Log, source: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const reason = error instanceof NotAttestedError ? error.message : reasonOf(error);
    logger.warn({ event: 'attestation-failed', source, reason });
  }
}

async function ask(
  { pool, log, now }: AttestOptions,
  witness: Witness,
  checkpoint: Checkpoint,
): Promise<void> {
  const source = witness.verifier.vkey;
  const last = await newestOf(pool, 'cosignature', source, checkpoint.epoch);
  if (last?.size === checkpoint.size) return;
  let answer = await signFrom({ pool, log }, witness, checkpoint, last?.size ?? 0);
  // It has signed what is not in this database: before a restore, or an answer that never came.
  if (answer.kind === 'has') answer = await signFrom({ pool, log }, witness, checkpoint, answer.size);
  if (answer.kind === 'has') throw new NotAttestedError('it names another size each time');
  const line = rightLine(checkpoint, witness, answer.lines);
  if (line === null) throw new NotAttestedError('its signature is wrong, or of another note');
  await store(pool, { checkpoint, kind: 'cosignature', source, answer: Buffer.from(line), at: now() });
}

async function signFrom(
  { pool, log }: Pick<AttestOptions, 'pool' | 'log'>,
  witness: Witness,
  { size, note }: Checkpoint,
  old: number,
) {
  if (old > size)
    throw new NotAttestedError(`it has signed ${old} events, and the log has ${size}: events were lost`);
  const needsProof = old > 0 && old < size;
  const proof = needsProof ? await provesConsistency(pool, log, { from: old, to: size }) : [];
  if (!proof) throw new NotAttestedError('the tree has no such checkpoint');
  return withReason(witness.sign({ old, proof, note }));
}

/** The same answer; what it rejects with becomes the reason that is logged. */
function withReason<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: Error) => {
    throw new NotAttestedError(error.message);
  });
}

/** The line among those that a witness answered which signs this note with its key. */
function rightLine({ note }: Checkpoint, { verifier }: Witness, lines: string): string | null {
  const text = note.slice(0, note.lastIndexOf('\n\n') + 2);
  const each = lines.split('\n').filter((line) => line !== '');
  const isRight = (line: string) => (openNote(`${text}${line}\n`, [verifier])?.signatures.length ?? 0) > 0;
  const line = each.find(isRight);
  return line === undefined ? null : `${line}\n`;
}

async function stampWhenDue(
  { pool, now }: AttestOptions,
  authority: TimestampAuthority,
  checkpoint: Checkpoint,
): Promise<void> {
  const { source } = authority;
  const last = await newestOf(pool, 'timestamp', source, checkpoint.epoch);
  if (last && (last.size === checkpoint.size || now().getTime() - last.at.getTime() < DAY)) return;
  // The text alone, which no later signature changes.
  const text = openNote(checkpoint.note, [])?.text ?? '';
  const answer = await withReason(authority.stamp(sha256(Buffer.from(text))));
  await store(pool, { checkpoint, kind: 'timestamp', source, answer, at: now() });
}

type Kind = 'cosignature' | 'timestamp';

async function newestOf(
  pool: Pool,
  kind: Kind,
  source: string,
  epoch: number,
): Promise<Readonly<{ size: number; at: Date }> | null> {
  const { rows } = await pool.query<{ size: string; at: Date }>(
    plannedOnce(
      `select size, at from proof.attestations where kind = $1 and source = $2 and epoch = $3
      order by size desc limit 1`,
      [kind, source, epoch],
    ),
  );
  const [row] = rows;
  return row ? { size: Number(row.size), at: row.at } : null;
}

async function store(
  pool: Pool,
  given: Readonly<{ checkpoint: Checkpoint; kind: Kind; source: string; answer: Uint8Array; at: Date }>,
): Promise<void> {
  const { checkpoint, kind, source, answer, at } = given;
  await pool.query(
    plannedOnce(
      `insert into proof.attestations (epoch, size, kind, source, answer, at)
      select epoch, size, $3, $4, $5, $6 from proof.checkpoints where epoch = $1 and size = $2
      on conflict do nothing`,
      [checkpoint.epoch, checkpoint.size, kind, source, answer, at],
    ),
  );
}
