import { HttpError, tooManyRequests } from './answers.ts';

/** How much a gate lets through at once, and how many more wait: altogether, and of one source. */
export type GateRules = Readonly<{ atOnce: number; waiting: number; ofSource?: number }>;

/**
 * Who waits at a gate. Those of one `source` take turns with the others; null for what the product does by itself, or where limits are
 * off. Work of a client that has gone ends by `signal`.
 */
export type Turn = Readonly<{ source: string | null; signal?: AbortSignal }>;

/** A turn in the product's own name. */
export const ownTurn: Turn = { source: null };

type Waiting = Readonly<{ source: string | null; enter: () => void; refuse: (reason: HttpError) => void }>;

/** Lets some work run at once and more wait. */
export type Gate = Readonly<{
  /**
   * Runs the work when its turn comes: that of the source whose last turn is longest ago, of one source the first that came. Throws 429
   * where too many wait, altogether or of this source; where the gate is full, the source with most waiting gives a place to one with
   * fewer. Throws 408 once `signal` aborts before the work began.
   */
  run<T>(work: () => Promise<T>, turn?: Turn): Promise<T>;
}>;

export function createGate({ atOnce, waiting, ofSource = Number.POSITIVE_INFINITY }: GateRules): Gate {
  let queue: Waiting[] = [];
  let [running, turns] = [0, 0];
  /** When each source that runs or waits had its last turn, counted in turns; and how often it is here. */
  const sources = new Map<string, { lastTurn: number; here: number }>();
  const countOf = (source: string | null) => queue.filter((one) => one.source === source).length;

  function enter(source: string | null): void {
    turns += 1;
    const known = source === null ? undefined : sources.get(source);
    if (known) known.lastTurn = turns;
  }

  function leave(source: string | null): void {
    const known = source === null ? undefined : sources.get(source);
    if (!known || source === null) return;
    known.here -= 1;
    if (known.here === 0) sources.delete(source);
  }

  /** The last one that came of the source with most waiting, where that has at least two more than `source`. */
  function inTheWayOf(source: string | null): Waiting | undefined {
    const crowd = queue.toSorted((one, other) => countOf(other.source) - countOf(one.source))[0]?.source;
    if (crowd === undefined || crowd === null || countOf(crowd) < countOf(source) + 2) return undefined;
    return queue.findLast((one) => one.source === crowd);
  }

  async function wait(source: string | null, signal: AbortSignal | undefined): Promise<void> {
    if (source !== null && countOf(source) >= ofSource) throw tooManyRequests(1);
    if (queue.length >= waiting) {
      const other = inTheWayOf(source);
      if (!other) throw tooManyRequests(1);
      remove(other);
      other.refuse(tooManyRequests(1));
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const place: Waiting = { source, enter: resolve, refuse: reject };
    const onGone = () => {
      remove(place);
      reject(clientGone());
    };
    queue.push(place);
    signal?.addEventListener('abort', onGone, { once: true });
    return promise.finally(() => signal?.removeEventListener('abort', onGone));
  }

  function remove(place: Waiting): void {
    queue = queue.filter((one) => one !== place);
  }

  function next(): void {
    const lastTurnOf = ({ source }: Waiting) => (source === null ? 0 : (sources.get(source)?.lastTurn ?? 0));
    const first = queue.reduce<Waiting | undefined>(
      (best, one) => (best && lastTurnOf(best) <= lastTurnOf(one) ? best : one),
      undefined,
    );
    if (!first) {
      running -= 1;
      return;
    }
    remove(first);
    first.enter();
  }

  return {
    async run(work, { source, signal } = ownTurn) {
      if (signal?.aborted) throw clientGone();
      const known = source === null ? undefined : (sources.get(source) ?? { lastTurn: 0, here: 0 });
      if (known && source !== null) sources.set(source, { ...known, here: known.here + 1 });
      try {
        if (running >= atOnce) await wait(source, signal);
        else running += 1;
        enter(source);
        try {
          return await work();
        } finally {
          next();
        }
      } finally {
        leave(source);
      }
    },
  };
}

/** 408: what was asked for is not wanted any more. The client has gone, so it is read in the log alone. */
export function clientGone(): HttpError {
  return new HttpError('too-slow', 'That was broken off, please try again');
}
