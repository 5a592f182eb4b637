import type { RecordedEvent } from '#core/event-store/port.ts';
import type { JobEvent } from '#core/job/events.ts';

/**
 * The revision of the answer that a job's customer is to hear: the last one that was not taken back, whatever else was
 * changed or undone since. Undefined where there is none.
 */
export function answerInForce(events: readonly RecordedEvent<JobEvent>[]): number | undefined {
  const undone = new Set(events.flatMap((event) => causeUndoneBy(event, events) ?? []));
  return events.findLast(
    ({ type, metadata }) =>
      (type === 'JobAccepted' || type === 'JobRejected') && !undone.has(metadata.causation),
  )?.revision;
}

/** The command whose change an event took back. */
function causeUndoneBy(
  { event }: RecordedEvent<JobEvent>,
  events: readonly RecordedEvent<JobEvent>[],
): string | undefined {
  if (event?.type !== 'JobStatusRestored') return undefined;
  return events.find(({ revision }) => revision === event.data.undone)?.metadata.causation;
}
