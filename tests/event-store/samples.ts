import { existsSync, readFileSync } from 'node:fs';
import { eventTypes, type KnownEvent } from '#core/event-store/event-types.ts';
import type { Cause, NewEvent } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import type { DeclaredEvents } from '#core/kernel/event.ts';
import { type StreamName, streamName } from '#core/kernel/stream-name.ts';
import { type Golden, goldenFile } from './golden.ts';

const newestGoldenFiles = Object.values<DeclaredEvents>(eventTypes)
  .flatMap((declared) => Object.entries(declared))
  .map(([type, { versions }]) => goldenFile(type, versions.length))
  // `golden.test.ts` tells of those that are missing.
  .filter((file) => existsSync(file));

type Samples = { [T in KnownEvent['type']]: Extract<KnownEvent, { type: T }> };

/** One event of every type, with every field filled: as the golden file of its newest version has it. */
export const samples = Object.fromEntries(
  newestGoldenFiles.map((file) => {
    const { event }: Golden = JSON.parse(readFileSync(file, 'utf8'));
    return [event.type, event];
  }),
) as Samples;

const at = '2026-11-20T01:02:03.004Z';

export const cause: Cause & { at: string } = {
  at,
  actor: 'system',
  causation: '0d9f2f7e-3a53-4a7e-9d7d-0d6f0c6f5a01',
  correlation: 'request-1',
};

/** Ids that differ between calls, yet are the same for the same seed in the same stream. */
export function eventId(stream: string, seed: string | number): string {
  return uuidV5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', `${stream}/${seed}`);
}

/** An event of a job that holds a text of the customer's: its key is that of `customer-<jobId>`. */
export function notes(stream: StreamName, seed: string | number, text = `note ${seed}`): NewEvent {
  const jobId = stream.slice('job-'.length);
  return {
    id: eventId(stream, seed),
    event: { type: 'JobNotesChanged', data: { jobId, businessId: 'b1', notes: text, changedAt: at } },
  };
}

let streams = 0;

/** A stream that no other test uses. */
export function newJobStream(): StreamName {
  streams += 1;
  return streamName('job', `s${streams}-${crypto.randomUUID()}`);
}
