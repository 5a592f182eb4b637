import type { StreamName } from '#core/kernel/stream-name.ts';
import { untilReachable } from '../outage.ts';
import type { Position, SubscriptionFilter } from '../port.ts';
import type { RawLog, RawMessage } from '../raw-log.ts';
import type { WakeUp } from './wake-up.ts';

/** How long a reader at the end of the log sleeps when no hint reaches it. */
const POLL_MS = 1_000;
const BATCH = 500;

type Options = { filter?: SubscriptionFilter; batch?: number; signal: AbortSignal };

/** Pages through the log and sleeps at its end. Reads a page only when asked for it, so that nothing piles up. */
export async function* subscribe(
  readAll: RawLog['readAll'],
  wakeUp: WakeUp,
  after: Position,
  { filter, batch = BATCH, signal }: Options,
): AsyncGenerator<RawMessage> {
  let position = after;
  let announced: Position | null = null;
  while (!signal.aborted) {
    const seen = wakeUp.generation();
    const page = await untilReachable(() => readAll(position, batch), signal);
    if (!page || signal.aborted) return;
    position = page.at(-1)?.position ?? position;
    const events = page.filter(({ stream }) => isWanted(stream, filter));
    const full = page.length === batch;
    if (events.length > 0 || full) yield { kind: 'events', events, position };
    if (full) continue;
    if (announced !== position) yield { kind: 'caught-up', position };
    announced = position;
    await wakeUp.sleep(seen, POLL_MS, signal);
  }
}

function isWanted(stream: StreamName, filter: SubscriptionFilter | undefined): boolean {
  const category = stream.slice(0, stream.indexOf('-'));
  return filter?.categories?.some((wanted) => wanted === category) ?? true;
}
