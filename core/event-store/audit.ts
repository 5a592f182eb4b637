import type { StreamName } from '#core/kernel/stream-name.ts';
import { type ChainReport, verifyChain } from './chain.ts';
import { comparePositions, START } from './port.ts';
import type { RawEvent, RawLog } from './raw-log.ts';

/** Events per read: with the largest events a page stays below 64 MB. */
const PAGE = 1_000;

export type AuditOptions = Readonly<{
  /** Aborted, the audit throws the reason. */
  signal: AbortSignal;
  onProgress(event: RawEvent): void;
}>;

/**
 * Verifies the chains of all streams, from the first event of the log to the one that is its last when this starts.
 * `gapless` as in `verifyChain`. Throws `EventStoreUnavailableError`.
 */
export async function auditLog(
  log: Pick<RawLog, 'readAll' | 'head'>,
  { gapless, ...options }: AuditOptions & { gapless: boolean },
): Promise<ChainReport> {
  const head = await log.head();
  async function* events() {
    let after = START;
    while (comparePositions(after, head) < 0) {
      const page = (await log.readAll(after, PAGE)).filter(
        ({ position }) => comparePositions(position, head) <= 0,
      );
      if (page.length === 0) return;
      yield* page;
      after = page.at(-1)?.position ?? head;
    }
  }
  return verifyChain(watched(events(), options), { gapless });
}

/** Verifies the chain of one stream. `checked` is 0 for one that does not exist. Throws `EventStoreUnavailableError`. */
export async function auditStream(
  log: Pick<RawLog, 'readStream'>,
  stream: StreamName,
  options: AuditOptions,
): Promise<ChainReport> {
  async function* events() {
    for (let from = 0; ; ) {
      const page = await log.readStream(stream, from, PAGE);
      yield* page;
      const last = page.at(-1);
      if (!last || page.length < PAGE) return;
      from = last.revision + 1;
    }
  }
  return verifyChain(watched(events(), options));
}

async function* watched(
  events: AsyncIterable<RawEvent>,
  { signal, onProgress }: AuditOptions,
): AsyncGenerator<RawEvent> {
  for await (const event of events) {
    signal.throwIfAborted();
    yield event;
    onProgress(event);
  }
}
