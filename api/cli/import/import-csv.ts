import { handleCommand } from '#core/event-store/handle-command.ts';
import type { EventStore } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { jobDecider } from '#core/job/decider.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import type { MappedJob } from './column-map.ts';
import { ACTOR } from './import-job.ts';

/**
 * Makes the job of a row, in its status; no message goes out. The same key again adds nothing: a run that was ended goes on, and
 * what was changed here since stays. Answers whether the job was there before.
 */
export async function importRow(
  { store, now }: Readonly<{ store: EventStore; now: () => Date }>,
  businessId: string,
  { key, values, createdAt, scheduledAt, status }: MappedJob,
): Promise<'added' | 'there'> {
  const jobId = uuidV5(businessId, `import row ${key}`);
  const stream = streamName('job', jobId);
  const known = await store.readStream(stream);
  if (known.length > 1 || known.some(({ metadata }) => metadata.actor !== ACTOR)) return 'there';
  const at = createdAt ?? now().toISOString();
  const context = (name: string) => ({ commandId: uuidV5(jobId, name), actor: ACTOR, correlation: 'import' });
  const of = { jobId, businessId };
  if (known.length === 0) {
    const { address, ...typed } = values;
    const location = { address, placeId: null, lat: null, lng: null };
    const data = { ...of, ...typed, location, scheduledAt };
    await handleCommand(store, jobDecider, stream, { type: 'AddJob', at, data }, context('came'));
  }
  const change = { type: 'ChangeJobStatus', at, data: { ...of, status } } as const;
  await handleCommand(store, jobDecider, stream, change, context('status'));
  return known.length === 0 ? 'added' : 'there';
}
