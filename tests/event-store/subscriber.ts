import type { EventStore, Position, RecordedEvent, SubscriptionFilter } from '#core/event-store/port.ts';

/** All that a subscription has delivered so far. */
export type Seen = { events: RecordedEvent[]; positions: Position[]; caughtUp: Position | null };

export type Follower = Readonly<{
  seen: Seen;
  /** Resolves once the condition holds; rejects when the subscription fails first. */
  until(condition: (seen: Seen) => boolean): Promise<void>;
  /** Aborts, and resolves when the subscription has ended. */
  stop(): Promise<void>;
}>;

type Options = { filter?: SubscriptionFilter; batch?: number };

/** Subscribes and keeps what comes. */
export function follow(store: EventStore, after: Position, options: Options = {}): Follower {
  const controller = new AbortController();
  const seen: Seen = { events: [], positions: [], caughtUp: null };
  const watchers = new Set<() => void>();
  const done = (async () => {
    for await (const message of store.subscribeAll(after, { ...options, signal: controller.signal })) {
      if (message.kind === 'events') seen.events.push(...message.events);
      else seen.caughtUp = message.position;
      seen.positions.push(message.position);
      for (const watch of [...watchers]) watch();
    }
  })();
  return {
    seen,
    async until(condition) {
      const met = new Promise<void>((resolve) => {
        const watch = () => {
          if (!condition(seen)) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      });
      await Promise.race([met, done.then(() => met)]);
    },
    async stop() {
      controller.abort();
      await done;
    },
  };
}

/** Subscribes until the condition holds. */
export async function collect(
  store: EventStore,
  after: Position,
  options: Options,
  condition: (seen: Seen) => boolean,
): Promise<Seen> {
  const follower = follow(store, after, options);
  await follower.until(condition);
  await follower.stop();
  return follower.seen;
}
