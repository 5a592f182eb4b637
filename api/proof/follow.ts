import type { Pool } from 'pg';
import { type NoteSigner, noteSigner } from '#core/crypto/note.ts';
import { ForeignEventError } from '#core/event-store/errors.ts';
import type { StoredLog } from '#core/event-store/raw-log.ts';
import { createWakeUp, type WakeUp } from '#core/event-store/waiting.ts';
import { backOff, pause } from '#core/kernel/pause.ts';
import { listen } from '#core/postgres/listen.ts';
import type { CheckpointOutlet } from '#core/proof/checkpoint.ts';
import { type Log, reasonOf, silentLog } from '#projections/runtime/failure.ts';
import { leadWhenPossible } from '#projections/runtime/leader.ts';
import { type MacFault, macFault } from './audit.ts';
import { contains, handOver, type LogKeys, noteKeys, signersOf, storeCheckpoint } from './checkpoints.ts';
import { type Epoch, openEpoch, reasonOfEpoch, signedCheckpoint } from './epochs.ts';
import { type Checkpoint, findCheckpoint, readProofKeys } from './read.ts';
import { answerRequests, asksForCheckpoint, readRequests, statementChannel } from './statements.ts';
import {
  growTree,
  isEndInLog,
  type Progress,
  readProgress,
  stopTree,
  storedRoot,
  TreeMovedError,
} from './tree.ts';

/** Leaves of one transaction. */
const BATCH = 4_096;
/** How often the end of the log is looked at, in milliseconds. */
const POLL = 5_000;
/** A checkpoint is signed at most this often, in milliseconds, or once so many leaves came. */
const EVERY = 60_000;
const MANY = 4_096;
/** How long at least between answers that may need a checkpoint of their own, and until what was refused is looked at again, in milliseconds. */
const BETWEEN_ANSWERS = 100;
/** How long the key before a rotation signs beside the new one, in milliseconds. */
const BOTH_SIGN = 90 * 24 * 60 * 60_000;

export type ProofOptions = Readonly<{
  log: StoredLog;
  pool: Pool;
  /** For the connection that holds the lead. */
  connectionString: string;
  /** Host of the first checkpoints' origin. */
  host: string;
  keys: LogKeys & Readonly<{ before: LogKeys | null }>;
  /** As `macKeyOf` draws it: shows which events the product appended. */
  macKey: Buffer;
  outlet: CheckpointOutlet;
  /** By which what other processes ask to be signed is known: `statementKeyOf`. */
  statementKey: Buffer;
  now: () => Date;
  logger?: Log;
  pollMs?: number;
}>;

/** Why the tree stands still. `ute_proof_stopped` and the readiness of the product show it. */
export type StopReason =
  | MacFault
  | 'foreign-event'
  | 'log-changed'
  | 'inconsistent'
  | 'outside-differs'
  | 'epoch-unsigned';

class ProofStopped extends Error {
  override readonly name = 'ProofStopped';
  constructor(readonly reason: StopReason) {
    super(reason);
  }
}

/**
 * Follows the whole log with the tree over it and signs checkpoints, in whichever process of the database leads. It never
 * signs one that is inconsistent with one before: then it stops, and the product goes on.
 */
export function startProof(options: ProofOptions): { stop(): Promise<void> } {
  const { connectionString, logger = silentLog } = options;
  const stopping = new AbortController();
  const lead = { keys: ['proof'], connectionString, log: logger, signal: stopping.signal };
  const wakeUp = createWakeUp();
  const stopListening = listen({
    ...{ connectionString, channel: statementChannel },
    onPayload: wakeUp.notify,
    onListening: wakeUp.notify,
  });
  const running = leadWhenPossible(lead, (_, signal) => followLog(options, wakeUp, logger, signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all([running, stopListening()]);
    },
  };
}

/**
 * Turn after turn: takes what is new, signs what is due and what is asked for, and sleeps.
 * Exported for tests.
 */
export async function followLog(
  options: ProofOptions,
  wakeUp: WakeUp,
  logger: Log,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    try {
      const seen = wakeUp.generation();
      const requests = await readRequests(options.pool, options.statementKey);
      const isAsked = requests.some(asksForCheckpoint);
      const isMore = await proveOnce(options, logger, signal, isAsked);
      const isAnswered = await answerRequests(options, requests);
      failures = 0;
      if (isAsked || !isAnswered) await pause(BETWEEN_ANSWERS, signal);
      else if (requests.length === 0 && !isMore) await wakeUp.sleep(seen, options.pollMs ?? POLL, signal);
    } catch (error) {
      failures += 1;
      logger.warn({ event: 'proof-failed', reason: reasonOf(error) });
      await pause(backOff(failures), signal);
    }
  }
}

/**
 * Takes what is new in the log, and signs when it is time, or when something new `isAsked` for. Answers whether the log has
 * more. Once stopped it does nothing.
 * Exported for tests.
 */
export async function proveOnce(
  options: ProofOptions,
  logger: Log,
  signal: AbortSignal,
  isAsked = false,
): Promise<boolean> {
  const { pool, log } = options;
  try {
    let progress = await readProgress(pool);
    if (progress.stopped !== null || signal.aborted) return false;
    const leaves = await log.readLeaves(progress.position, BATCH);
    for (const leaf of leaves) {
      const fault = macFault(leaf, options.macKey);
      if (fault) throw new ProofStopped(fault);
    }
    if (leaves.length > 0) progress = await growTree(pool, progress, leaves);
    if (leaves.length === BATCH) return true;
    await signWhenDue(options, logger, progress, isAsked);
  } catch (error) {
    if (error instanceof TreeMovedError) return false;
    const reason = stopReasonOf(error);
    if (!reason) throw error;
    await stopTree(pool, reason);
    logger.error({ event: 'proof-stopped', reason });
  }
  return false;
}

function stopReasonOf(error: unknown): StopReason | null {
  if (error instanceof ProofStopped) return error.reason;
  return error instanceof ForeignEventError ? 'foreign-event' : null;
}

async function signWhenDue(
  options: ProofOptions,
  logger: Log,
  progress: Progress,
  isAsked: boolean,
): Promise<void> {
  const { pool, host, keys, now, outlet } = options;
  const last = await findCheckpoint(pool);
  if (last && !(isAsked && progress.size > last.size) && !isDue(last, progress, now())) {
    await hand(outlet, last, logger);
    return;
  }
  if (progress.size === 0) return;
  const epoch = await openEpoch(pool, host);
  const signers = signersOf(epoch.origin, keys);
  const before = keys.before ? signersOf(epoch.origin, keys.before) : [];
  if (!isBegunByUs(epoch, last, keys)) throw new ProofStopped('epoch-unsigned');
  await assertConsistent(options, progress, last, epoch.origin, [...signers, ...before]);
  const root = await storedRoot(pool, options.log, progress.size);
  const all = [...signers, ...(await stillSigning(before, signers, options, progress))];
  await noteKeys(pool, all, progress.size);
  const made = await storeCheckpoint(pool, epoch, { size: progress.size, root }, all, now());
  if (made) await hand(outlet, made, logger);
}

/** The keys before, until those who trust them have had time to learn of the next. */
async function stillSigning(
  before: readonly NoteSigner[],
  signers: readonly NoteSigner[],
  { pool, now }: ProofOptions,
  { size }: Progress,
): Promise<readonly NoteSigner[]> {
  const [from, to] = [before[0], signers[0]];
  if (!from || !to) return [];
  const at = await handOver(pool, { from, to, size, at: now() });
  return now().getTime() - at.getTime() < BOTH_SIGN ? before : [];
}

/**
 * Whether a key of ours began a later epoch, or has signed in it: a row in the database alone must not lift what the checkpoints of
 * the one before bind.
 */
function isBegunByUs(epoch: Epoch, last: Checkpoint | null, { key, before }: ProofOptions['keys']): boolean {
  if (epoch.epoch === 1) return true;
  const own = [key, ...(before ? [before.key] : [])];
  const verifiers = own.map((one) => noteSigner(epoch.origin, one).verifier);
  const hasSigned = last !== null && signedCheckpoint(last.note, epoch.origin, verifiers) !== null;
  return hasSigned || reasonOfEpoch(epoch, own) !== null;
}

function isDue(last: Checkpoint, { size }: Progress, now: Date): boolean {
  if (size === last.size) return false;
  return now.getTime() - last.madeAt.getTime() >= EVERY || size - last.size >= MANY;
}

/** "A log must not sign any checkpoint which is inconsistent with any checkpoint it previously signed": C2SP `tlog-checkpoint`. */
async function assertConsistent(
  { pool, log, outlet }: ProofOptions,
  progress: Progress,
  last: Checkpoint | null,
  origin: string,
  signers: readonly NoteSigner[],
): Promise<void> {
  if (!(await isEndInLog(pool, log, progress))) throw new ProofStopped('log-changed');
  const isIn = async (one: { size: number; root: Uint8Array }) => {
    if (one.size <= progress.size) return contains(await storedRoot(pool, log, one.size), one);
    // The process that leads now may have signed more than this one has read, which then has nothing to sign.
    if ((await readProgress(pool)).size > progress.size)
      throw new TreeMovedError('the tree has grown meanwhile');
    return false;
  };
  // An epoch after a restore that lost events begins a log of its own: what was lost is in no tree any more.
  if (last?.origin === origin && !(await isIn(last))) throw new ProofStopped('inconsistent');
  const verifiers = [...signers.map(({ verifier }) => verifier), ...(await readProofKeys(pool))];
  const note = await outlet.newest();
  const outside = note === null ? null : signedCheckpoint(note, origin, verifiers);
  if (outside && !(await isIn(outside))) throw new ProofStopped('outside-differs');
}

/** Sends a checkpoint outside unless it is there: what failed is tried again at the next look. */
async function hand(outlet: CheckpointOutlet, { note }: Checkpoint, logger: Log): Promise<void> {
  try {
    if ((await outlet.newest()) !== note) await outlet.add(note);
  } catch (error) {
    logger.warn({ event: 'checkpoint-not-handed-out', reason: reasonOf(error) });
  }
}
