import { afterEach } from 'vitest';
import type { SubscriptionLimits } from '#core/event-store/eventstoredb/subscription.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { openRaw, rawEvents } from './raw-events.ts';
import type { LogEvent } from './server-log.ts';
import { type StandIn, startStandIn } from './stand-in.ts';

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
