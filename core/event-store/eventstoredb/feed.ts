import { streamNameFilter } from '@eventstore/db-client';
import type { Position } from '../port.ts';
import type { RawEvent } from '../raw-log.ts';
import type { ServerConnection } from './connection.ts';
import { ownPrefixes, toLogPosition, toRaw } from './events.ts';
import { explain } from './failures.ts';

/** Why nothing more will come: the queue was full, the server hung up (with an error or without), or we did. */
export type FeedEnd = 'overflowed' | 'dropped' | Readonly<{ error: unknown }>;

/** Our events as they happen, in a queue that is given up rather than let grow. */
export type Feed = Readonly<{
  /** Takes the oldest events out of the queue, at most this many. */
  take(most: number): RawEvent[];
  /** Null while more may come. What stands in the queue is good all the same. */
  end(): FeedEnd | null;
  close(): void;
}>;

/**
 * Subscribes after a position. `onChange` is called when there is something to take or the end has come.
 * The inbound stream knows no back-pressure under Bun, hence the queue of at most `limit` events and no pausing.
 */
export function openFeed(
  server: ServerConnection,
  after: Position,
  limit: number,
  onChange: () => void,
): Feed {
  let queue: RawEvent[] = [];
  let ended: FeedEnd | null = null;
  const subscription = server.client.subscribeToAll({
    ...server.options,
    fromPosition: toLogPosition(after),
    filter: streamNameFilter({ prefixes: ownPrefixes }),
  });

  function finish(reason: FeedEnd): void {
    if (ended) return;
    ended = reason;
    server.retired.removeEventListener('abort', onRetired);
    // It fails when there was no connection to unsubscribe on.
    subscription.unsubscribe().catch(() => undefined);
    onChange();
  }
  const onRetired = () => finish('dropped');
  server.retired.addEventListener('abort', onRetired);

  subscription
    .on('data', (resolved) => {
      const event = ended ? null : toRaw(resolved);
      if (!event) return;
      queue.push(event);
      if (queue.length >= limit) finish('overflowed');
      else onChange();
    })
    .on('end', () => finish('dropped'))
    .on('close', () => finish('dropped'))
    // Stays on after the end: an error without a listener would end the process.
    .on('error', (error) => finish({ error: explain(error) }));

  return {
    take(most) {
      const taken = queue.slice(0, most);
      queue = queue.slice(taken.length);
      return taken;
    },
    end: () => ended,
    close: () => finish('dropped'),
  };
}
