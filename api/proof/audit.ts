import type { Pool } from 'pg';
import { openNote } from '#core/crypto/note.ts';
import { auditLog, isMac } from '#core/event-store/chain.ts';
import type { LogLeaf, RawEvent, RawLog } from '#core/event-store/raw-log.ts';
import { pause } from '#core/kernel/pause.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
import { type CheckpointBody, type CheckpointOutlet, readCheckpoint } from '#core/proof/checkpoint.ts';
import { type Log, reasonOf, silentLog } from '#projections/runtime/failure.ts';
import { leadWhenPossible } from '#projections/runtime/leader.ts';
import { contains } from './checkpoints.ts';
import { isBinding, readEpochs } from './epochs.ts';
import { rootsAt } from './roots.ts';

/** How often the log is audited as a whole, and how often the worker looks whether it is time, in milliseconds. */
const EVERY = 7 * 24 * 60 * 60_000;
const POLL = 60 * 60_000;

type OpenedLog = RawLog & Readonly<{ gapless: boolean; close(): Promise<void> }>;

export type AuditsOptions = Readonly<{
  pool: Pool;
  connectionString: string;
  /** Opens the log as it is stored; closed after each audit. */
  openLog: () => Promise<OpenedLog>;
  /** As `macKeyOf` draws it. */
  macKey: Buffer;
  outlet: Pick<CheckpointOutlet, 'newest'>;
  now: () => Date;
  logger?: Log;
  pollMs?: number;
}>;

/** Audits the whole log once a week, gently, in whichever process of the database leads. What does not fit is an alarm; the product goes on. */
export function startAudits(options: AuditsOptions): { stop(): Promise<void> } {
  const { connectionString, logger = silentLog, pollMs = POLL } = options;
  const stopping = new AbortController();
  const lead = { keys: ['audit'], connectionString, log: logger, signal: stopping.signal };
  const running = leadWhenPossible(lead, async (_, signal) => {
    while (!signal.aborted) {
      await pause(pollMs, signal);
      if (signal.aborted) return;
      await auditWhenDue(options, logger, signal).catch((error: unknown) => {
        if (!signal.aborted) logger.warn({ event: 'audit-failed', reason: reasonOf(error) });
      });
    }
  });
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Answers whether it audited. Exported for tests. */
export async function auditWhenDue(
  options: AuditsOptions,
  logger: Log,
  signal: AbortSignal,
): Promise<boolean> {
  const { pool, now, openLog } = options;
  const { rows } = await pool.query<{ at: Date | null }>('select audited_at as at from proof.progress');
  const last = rows[0]?.at ?? null;
  if (last && now().getTime() - last.getTime() < EVERY) return false;
  const log = await openLog();
  try {
    const { size, fault } = await audit(options, log, signal);
    await pool.query(
      plannedOnce('update proof.progress set audited_size = $1, audited_at = $2, audit_fault = $3', [
        size,
        now(),
        fault,
      ]),
    );
    if (fault) logger.error({ event: 'audit-found-a-fault', reason: fault });
    else logger.info({ event: 'audited', events: size });
    return true;
  } finally {
    await log.close();
  }
}

/** Chains, MACs, and the roots that were signed, here and outside. `fault` names ids alone. */
async function audit(
  { pool, macKey, outlet }: AuditsOptions,
  log: OpenedLog,
  signal: AbortSignal,
): Promise<Readonly<{ size: number; fault: string | null }>> {
  const macs = macLook(macKey);
  const signed = await signedSizes(pool, outlet);
  let begun = performance.now();
  const { checked, broken } = await auditLog(log, {
    gapless: log.gapless,
    signal,
    onProgress() {},
    async onPage(page) {
      macs.look(page);
      // As long as the page before took: half of a processor at most, and half of a connection.
      await pause(performance.now() - begun, signal);
      begun = performance.now();
    },
  });
  if (broken) return { size: checked, fault: `position ${broken.position}: ${broken.reason}` };
  const forged = macs.found();
  if (forged) return { size: checked, fault: `position ${forged.first.position}: ${forged.first.fault}` };
  const { roots } = await rootsAt(
    log,
    signed.map(({ size }) => size),
    { signal },
  );
  const misfit = signed.find((one) => {
    const root = roots.get(one.size);
    return root === undefined || !contains(root, one);
  });
  return { size: checked, fault: misfit ? `checkpoint ${misfit.size} does not fit` : null };
}

async function signedSizes(pool: Pool, outlet: AuditsOptions['outlet']): Promise<CheckpointBody[]> {
  const { rows } = await pool.query<{ note: string }>('select note from proof.checkpoints');
  const outside = await outlet.newest();
  const notes = [...rows.map(({ note }) => note), ...(outside === null ? [] : [outside])];
  const bodies = notes.flatMap((note) => readCheckpoint(openNote(note, [])?.text ?? '') ?? []);
  const epochs = await readEpochs(pool);
  return bodies.filter((body) => isBinding(epochs, body)).toSorted((a, b) => a.size - b.size);
}

/** What is wrong with an event: it has no code, or one that does not fit. */
export type MacFault = 'mac-missing' | 'mac-wrong';

/** What is wrong with the code of an event; null when it fits. */
export function macFault({ hash, mac }: Pick<LogLeaf, 'hash' | 'mac'>, key: Buffer): MacFault | null {
  if (mac === null) return 'mac-missing';
  return isMac(key, hash, mac) ? null : 'mac-wrong';
}

/** Events that something else than the product appended: how many, and the first. */
export type MacFaults = Readonly<{
  count: number;
  first: Pick<RawEvent, 'position' | 'stream' | 'revision'> & { fault: MacFault };
}>;

/** Looks at the MACs of events page by page, for an audit: `found` is null while all fit. */
export function macLook(key: Buffer): {
  look(page: readonly RawEvent[]): void;
  found(): MacFaults | null;
} {
  let found: MacFaults | null = null;
  return {
    look(page) {
      for (const { position, stream, revision, metadata } of page) {
        const hash = Buffer.from(metadata.hash, 'hex');
        const fault = macFault({ hash, mac: metadata.mac ?? null }, key);
        if (fault)
          found = {
            count: (found?.count ?? 0) + 1,
            first: found?.first ?? { position, stream, revision, fault },
          };
      }
    },
    found: () => found,
  };
}
