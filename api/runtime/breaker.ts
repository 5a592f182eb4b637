import type { Logger } from 'pino';
import { unreachedReason } from '#core/event-store/errors.ts';
import { pause } from '#core/kernel/pause.ts';

/** How often to probe while all is well, and while it is not, in milliseconds. */
const WATCH = 1_000;
const RETRY = 250;
/** How long an answer may take, in milliseconds. */
const TIMEOUT = 1_500;
/** A timer this late says that our own process was held up, and nothing of the other side. */
const HELD_UP = 300;

/**
 * Knows whether something that we stand on answers; open until an answer was `heard` or a `check` got one, from which
 * on it watches by itself. While it is open, callers are refused at once instead of queued.
 */
export type Breaker = Readonly<{
  isOpen(): boolean;
  /** What the last question without an answer ended with. */
  failure(): unknown;
  /** A caller met a failure as in an outage: probes now instead of at the next turn. */
  suspect(): void;
  /** Looks now. */
  check(): Promise<void>;
  /** A caller had an answer just now. */
  heard(): void;
  stop(): void;
}>;

type Watched = Readonly<{
  /** For the log: `database`, `event-store`. */
  name: string;
  /** Asks the smallest question there is; rejects when there is no answer. */
  probe(): Promise<unknown>;
  /** Called as it opens, not for being open at first. */
  opened?(): void;
  logger: Pick<Logger, 'info' | 'warn'>;
}>;

/** Asks every second, every quarter of a second while there is no answer, and opens and closes by the answers. */
export function createBreaker({ name, probe, logger, opened }: Watched): Breaker {
  let isOpen = true;
  /** Being open at first is no outage, unless a question went without an answer. */
  let isOutage = false;
  let probing: Promise<void> | undefined;
  let timer: Timer | undefined;
  let isStopped = false;
  let failure: unknown;
  const noted = () =>
    probe().catch((error: unknown) => {
      failure = error;
      throw error;
    });

  async function probeOnce(): Promise<void> {
    let answer = await ask(noted);
    // A single connection may be lost, or a busy machine slow, while the server is well.
    if (answer === 'none' && !isOpen) answer = await ask(noted);
    if (answer !== 'unknown' && !isStopped) turn(answer === 'none');
  }

  function turn(open: boolean): void {
    const wasOutage = isOutage;
    isOutage = open;
    if (isOpen === open) return;
    isOpen = open;
    if (isOpen) {
      logger.warn({ event: 'outage-began', of: name, reason: unreachedReason(failure) });
      opened?.();
    } else if (wasOutage) logger.info({ event: 'outage-ended', of: name });
  }

  function watch(): void {
    clearTimeout(timer);
    if (isStopped) return;
    timer = setTimeout(check, isOpen ? RETRY : WATCH);
    timer.unref();
  }

  function check(): Promise<void> {
    clearTimeout(timer);
    probing ??= probeOnce().finally(() => {
      probing = undefined;
      watch();
    });
    return probing;
  }

  return {
    isOpen: () => isOpen,
    failure: () => failure,
    suspect() {
      if (!isOpen) void check();
    },
    check,
    heard() {
      turn(false);
      watch();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

async function ask(probe: () => Promise<unknown>): Promise<'answered' | 'none' | 'unknown'> {
  const waited = new AbortController();
  const since = performance.now();
  const answer = await Promise.race([
    probe().then(
      () => 'answered' as const,
      () => 'none' as const,
    ),
    pause(TIMEOUT, waited.signal).then(() => 'silent' as const),
  ]);
  waited.abort();
  if (answer !== 'silent') return answer;
  return performance.now() - since > TIMEOUT + HELD_UP ? 'unknown' : 'none';
}
