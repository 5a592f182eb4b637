import type { AllStreamResolvedEvent, ResolvedEvent, StreamingRead } from '@eventstore/db-client';
import { StreamNotFoundError } from '@eventstore/db-client';
import type { ServerConnection } from './connection.ts';
import { SilentServerError } from './failures.ts';

/**
 * Reads to the end; `[]` when the stream does not exist. Gives up, and tells the server so, when nothing
 * has come for `ms` milliseconds or the connection is retired.
 */
export function readToEnd<E extends ResolvedEvent | AllStreamResolvedEvent>(
  read: StreamingRead<E>,
  { retired }: ServerConnection,
  ms: number,
): Promise<E[]> {
  return new Promise((resolve, reject) => {
    const events: E[] = [];
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      retired.removeEventListener('abort', giveUp);
      outcome();
    };
    const giveUp = () =>
      settle(() => {
        reject(new SilentServerError('the event store does not answer'));
        // It fails when there was no connection to cancel on.
        read.cancel().catch(() => undefined);
      });
    const timer = setTimeout(giveUp, ms);
    retired.addEventListener('abort', giveUp);
    read
      .on('data', (event: E) => {
        events.push(event);
        timer.refresh();
      })
      .on('end', () => settle(() => resolve(events)))
      // Stays on after the end: an error without a listener would end the process.
      .on('error', (error) =>
        settle(() => (error instanceof StreamNotFoundError ? resolve([]) : reject(error))),
      );
  });
}
