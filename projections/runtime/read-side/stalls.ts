import { EventStoreUnavailableError } from '#core/event-store/errors.ts';
import type { LogOrigin, ReaderPosition } from '#core/event-store/log-origin.ts';
import type { Position } from '#core/event-store/port.ts';
import { pause } from '#core/kernel/pause.ts';
import { type Log, reasonOf } from '#projections/runtime/failure.ts';

/** A reader that does not advance although the log has gone on. */
export type Stall = Readonly<{
  name: string;
  position: Position;
  head: Position;
  /** The log has no event where the reader stands, or it stands still for another cause. */
  reason: 'position-not-in-log' | 'no-progress';
}>;

export type StallWatch = Readonly<{
  /** What stands still now, as this process last saw it. */
  stalls(): readonly Stall[];
  stop(): Promise<void>;
}>;

type Watched = Readonly<{
  readers: () => Promise<readonly ReaderPosition[]>;
  head: () => Promise<Position>;
  origin: Pick<LogOrigin, 'lost'>;
  logger: Log;
  /** How often to look, and how long a reader may stand still while it is behind, in milliseconds. */
  every?: number;
  after?: number;
}>;

/** The same stall is logged again after so many looks. */
const LOOKS_PER_REMINDER = 60;

const remedies: Readonly<Record<Stall['reason'], string>> = {
  'position-not-in-log': 'if the log was restored from a copy, run: bun run ute log accept-restored',
  'no-progress': 'see that a worker runs; restart it when it does',
};

/** Watches the readers of the log, and says which ones stand still and why. Outages are not its subject: it waits them out. */
export function watchStalls({
  readers,
  head,
  origin,
  logger,
  every = 5_000,
  after = 15_000,
}: Watched): StallWatch {
  const stopping = new AbortController();
  const seen = new Map<string, { position: Position; since: number; looks: number }>();
  let stalls: readonly Stall[] = [];

  async function look(): Promise<void> {
    const now = performance.now();
    const end = await head();
    const stalled = (await readers()).filter(({ name, position }) => {
      const before = seen.get(name);
      const isSame = before?.position === position && position !== end;
      if (!isSame) seen.set(name, { position, since: now, looks: 0 });
      return isSame && now - before.since >= after;
    });
    const lost = stalled.length > 0 ? await origin.lost() : [];
    stalls = stalled.map(({ name, position }) => {
      const isLost = lost.some((reader) => reader.name === name);
      return { name, position, head: end, reason: isLost ? 'position-not-in-log' : 'no-progress' };
    });
    for (const { name, ...stall } of stalls) {
      const known = seen.get(name);
      if (known && known.looks++ % LOOKS_PER_REMINDER !== 0) continue;
      logger.error({ event: 'follower-stalled', follower: name, ...stall, remedy: remedies[stall.reason] });
    }
  }

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look().catch((error: unknown) => {
        // While the log or the database is unavailable nothing can advance: counted anew afterwards.
        seen.clear();
        stalls = [];
        if (!(error instanceof EventStoreUnavailableError))
          logger.warn({ event: 'stall-watch-failed', reason: reasonOf(error) });
      });
      await pause(every, stopping.signal);
    }
  }

  const watching = watch();
  return {
    stalls: () => stalls,
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}
