import type { Deps } from '#api/deps.ts';
import { isBusinessEvent } from '#core/business/events.ts';
import { typedEvents } from '#core/event-store/codec.ts';
import type { RecordedEvent } from '#core/event-store/port.ts';
import { isJobEvent } from '#core/job/job.ts';
import { streamName } from '#core/kernel/stream-name.ts';

/** What messages that follow from these events were sent, and when. */
export type SentMessages = (
  events: readonly Pick<RecordedEvent, 'id' | 'type'>[],
) => Promise<readonly Readonly<{ text: string; at: string }>[]>;

/** What was handed out and is not removed with the rest. `jobId` is null for an export, which has all jobs. */
export type OutOfReach = Readonly<{ jobId: string | null; text: string; at: string }>;

/** The newest that are listed. */
const MOST = 200;

/**
 * What went out about these jobs and cannot be called back, newest first: messages, records, and the exports of their business since the
 * first of them came, or of all time without jobs.
 */
export async function listOutOfReach(
  { store }: Pick<Deps, 'store'>,
  sentMessages: SentMessages,
  { businessId, jobIds }: Readonly<{ businessId: string | null; jobIds: readonly string[] }>,
): Promise<OutOfReach[]> {
  const found: OutOfReach[] = [];
  let since: string | null = null;
  const streams = await store.readStreams(jobIds.map((jobId) => streamName('job', jobId)));
  for (const jobId of jobIds) {
    const events = typedEvents(isJobEvent, streams.get(streamName('job', jobId)) ?? []);
    const at = events[0]?.metadata.at ?? null;
    if (at !== null && (since === null || at < since)) since = at;
    for (const { event } of events)
      if (event?.type === 'JobRecordIssued')
        found.push({ jobId, text: `A record for the ${event.data.audience}`, at: event.data.issuedAt });
    const sent = await sentMessages(events);
    found.push(...sent.map((one) => ({ jobId, ...one })));
  }
  if (businessId !== null) {
    const events = typedEvents(isBusinessEvent, await store.readStream(streamName('business', businessId)));
    for (const { event } of events)
      if (event?.type === 'BusinessExported' && event.data.exportedAt >= (since ?? ''))
        found.push({ jobId: null, text: 'An export of all your data', at: event.data.exportedAt });
  }
  return found.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, MOST);
}
