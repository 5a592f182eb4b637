import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';
import type { Position } from './port.ts';
import type { NewRawEvent, RawEvent } from './raw-log.ts';

/** What is known of an event before it has a hash. */
export type Unhashed = Omit<NewRawEvent, 'metadata'> &
  Readonly<{ stream: string; revision: number; metadata: Readonly<Record<string, string>> }>;

/** SHA-256, in hex, that ties an event to the one before it in its stream. `previous` is null for the first. */
export function chainHash(previous: string | null, event: Unhashed): string {
  const { stream, revision, id, type, schema, at, data, metadata } = event;
  const link = { prev: previous, stream, revision, id, type, schema, at, data, metadata };
  return createHash('sha256').update(canonicalJson(link), 'utf8').digest('hex');
}

/** The first event that does not fit, and why. */
export type ChainBreak = Readonly<{ position: Position; stream: string; revision: number; reason: string }>;

export type ChainReport = Readonly<{ checked: number; broken: ChainBreak | null }>;

/**
 * Follows the chains of all streams through the log, from its first event, and stops at the first one that does not fit:
 * changed, missing before it, or out of turn. Keeps one hash per stream in memory.
 */
export async function verifyChain(
  events: AsyncIterable<RawEvent> | Iterable<RawEvent>,
): Promise<ChainReport> {
  const ends = new Map<string, { revision: number; hash: string }>();
  let checked = 0;
  for await (const event of events) {
    const end = ends.get(event.stream);
    const reason = misfit(end ?? { revision: -1, hash: null }, event);
    if (reason) {
      const { position, stream, revision } = event;
      return { checked, broken: { position, stream, revision, reason } };
    }
    ends.set(event.stream, { revision: event.revision, hash: event.metadata.hash });
    checked += 1;
  }
  return { checked, broken: null };
}

function misfit(end: { revision: number; hash: string | null }, event: RawEvent): string | null {
  if (event.revision !== end.revision + 1) return `revision ${event.revision} follows ${end.revision}`;
  const { hash, ...metadata } = event.metadata;
  try {
    return chainHash(end.hash, { ...event, metadata }) === hash ? null : 'the hash does not fit';
  } catch {
    return 'the hash cannot be computed';
  }
}
