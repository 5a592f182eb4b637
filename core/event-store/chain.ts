import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';
import { ChainEnds } from './chain-ends.ts';
import { type Position, START } from './port.ts';
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

/** `checked` counts the events before it. */
export type ChainReport = Readonly<{ checked: number; broken: ChainBreak | null }>;

/**
 * Follows the chains of all streams through the log, from its first event, and stops at the first one that does not fit:
 * changed, missing before it, or out of turn. Keeps one hash per stream in memory. `gapless` says that positions count
 * 1, 2, 3 …: then an event that is missing shows at its own place, be it the last of its stream.
 */
export async function verifyChain(
  events: AsyncIterable<RawEvent> | Iterable<RawEvent>,
  { gapless = false }: { gapless?: boolean } = {},
): Promise<ChainReport> {
  const ends = new ChainEnds();
  let checked = 0;
  let last = START;
  for await (const event of events) {
    const { position, stream, revision } = event;
    const reason = (gapless && gapBefore(position, last)) || misfit(ends.get(stream), event);
    if (reason) return { checked, broken: { position, stream, revision, reason } };
    ends.set(stream, revision, event.metadata.hash);
    last = position;
    checked += 1;
  }
  return { checked, broken: null };
}

function gapBefore(position: Position, last: Position): string | null {
  const missing = BigInt(position) - BigInt(last) - 1n;
  if (missing === 0n) return null;
  const first = BigInt(last) + 1n;
  return missing === 1n
    ? `position ${first} is missing before it`
    : `positions ${first} to ${first + missing - 1n} are missing before it`;
}

function misfit(end: { revision: number; hash: string | null }, event: RawEvent): string | null {
  if (event.revision !== end.revision + 1) return `revision ${event.revision} follows ${end.revision}`;
  const { hash, ...metadata } = Object(event.metadata) as RawEvent['metadata'];
  try {
    return chainHash(end.hash, { ...event, metadata }) === hash ? null : 'the hash does not fit';
  } catch {
    return 'the hash cannot be computed';
  }
}
