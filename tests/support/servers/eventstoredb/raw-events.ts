import { afterEach } from 'vitest';
import { openEventStoreDbLog } from '#core/event-store/eventstoredb/event-store.ts';
import type { SubscriptionLimits } from '#core/event-store/eventstoredb/subscription.ts';
import type { Position } from '#core/event-store/port.ts';
import type { NewRawEvent, RawEvent, RawLog } from '#core/event-store/raw-log.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { eventId } from '#tests/event-store/samples.ts';
import type { LogEvent } from './server-log.ts';
import { type StandIn, startStandIn } from './stand-in.ts';

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

/** Opens servers and logs for a test, and closes them after it. */
export function subscriptionStage() {
  const closing: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });
  const defer = (close: () => Promise<void> | void) => void closing.push(close);
  return {
    defer,
    async start(): Promise<StandIn> {
      const server = await startStandIn();
      defer(() => server.kill());
      return server;
    },
    open(server: Pick<StandIn, 'host' | 'port'>, limits: Partial<SubscriptionLimits> = {}) {
      const log = openRaw(server, { timeouts, limits: { queue: 2_000, silence: 10_000, ...limits } });
      defer(() => log.close());
      return log;
    },
  };
}

/** Long: slow machines are no outage. */
export const timeouts = { request: 10_000, page: 10_000 };

/** Writes past the adapter, as other processes do: this many more events of a stream. */
export function fill(server: StandIn, stream: StreamName, amount: number): void {
  const first = server.log.stream(stream).length;
  const events = rawEvents(stream, amount, first).map(({ id, type, data }) => ({
    id,
    type,
    contentType: 'application/json',
    data: Buffer.from(JSON.stringify(data)),
    metadata: Buffer.from('{"schema":1,"at":"2026-11-20T01:02:03.004Z"}'),
  }));
  server.log.append(stream, 'any', events);
}

/** What the server holds of ours. */
export function own(server: StandIn): LogEvent[] {
  return server.log.all.filter(({ stream }) => /^job-/.test(stream));
}

/** To compare what was seen with what there is: positions are unique. */
export function places(events: readonly { position: string | bigint }[]): string[] {
  return events.map(({ position }) => String(position));
}
