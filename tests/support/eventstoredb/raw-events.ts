import { openEventStoreDbLog } from '#core/event-store/eventstoredb/event-store.ts';
import type { Position } from '#core/event-store/port.ts';
import type { NewRawEvent, RawEvent, RawLog } from '#core/event-store/raw-log.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { eventId } from '#tests/event-store/samples.ts';
import type { StandIn } from './stand-in.ts';

type Options = Omit<Parameters<typeof openEventStoreDbLog>[0], 'url'> & { query?: string };

/** The adapter, without keys and schemas, on a stand-in. */
export function openRaw(
  { host, port }: Pick<StandIn, 'host' | 'port'>,
  { query = 'tls=false', ...options }: Options = {},
) {
  return openEventStoreDbLog({ url: `esdb://${host}:${port}?${query}`, ...options });
}

/** An event that means nothing; the same seed gives the same bytes. */
export function rawEvent(stream: StreamName, seed: string | number, bytes = 10): NewRawEvent {
  return {
    id: eventId(stream, seed),
    type: 'JobNotesChanged',
    schema: 1,
    at: '2026-11-20T01:02:03.004Z',
    data: { seed: String(seed), text: 'x'.repeat(bytes) },
    metadata: { actor: 'system', causation: 'c', correlation: 'r', hash: '0'.repeat(64) },
  };
}

/** Events `first`, `first + 1`, … of a stream. */
export function rawEvents(stream: StreamName, amount: number, first = 0): NewRawEvent[] {
  return Array.from({ length: amount }, (_, index) => rawEvent(stream, first + index));
}

/** Takes from a subscription until the condition holds. `onBatch` may dawdle. */
export async function takeUntil(
  log: RawLog,
  after: Position,
  condition: (seen: readonly RawEvent[]) => boolean,
  onBatch: (events: readonly RawEvent[]) => Promise<void> | void = () => {},
  batch = 100,
): Promise<RawEvent[]> {
  const controller = new AbortController();
  const seen: RawEvent[] = [];
  for await (const message of log.subscribeAll(after, { batch, signal: controller.signal })) {
    if (message.kind !== 'events') continue;
    seen.push(...message.events);
    if (condition(seen)) break;
    await onBatch(message.events);
  }
  controller.abort();
  return seen;
}
