import type { AllStreamResolvedEvent, ResolvedEvent, StreamingRead } from '@eventstore/db-client';
import { StreamNotFoundError } from '@eventstore/db-client';
import type { Line } from './connection.ts';
import { SilentServerError } from './failures.ts';

/**
 * Reads to the end; `[]` when the stream does not exist. Gives up, and tells the server so, when nothing
 * has come for `ms` milliseconds or the line is retired.
 */
export function readToEnd<E extends ResolvedEvent | AllStreamResolvedEvent>(
  read: StreamingRead<E>,
  { retired }: Line,
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
        // Nobody hears of it when there was no connection to cancel on.
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
      // Stays on after the end: an error that nobody listens to would end the process.
      .on('error', (error) =>
        settle(() => (error instanceof StreamNotFoundError ? resolve([]) : reject(error))),
      );
  });
}
