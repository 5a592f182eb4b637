import {
  type AllStreamResolvedEvent,
  END,
  START as LOG_START,
  type Position as LogPosition,
  type ResolvedEvent,
} from '@eventstore/db-client';
import type { JsonObject } from '#core/kernel/canonical-json.ts';
import { categories, type StreamName } from '#core/kernel/stream-name.ts';
import { type Position, START } from '../port.ts';
import { type LogLeaf, type RawEvent, type RawMetadata, toLeaf } from '../raw-log.ts';

type AnyEvent = ResolvedEvent | AllStreamResolvedEvent;

/** What a server writes that leaves the position out: -1 as an unsigned number of 64 bits. */
const NOWHERE = 2n ** 64n - 1n;
const cause = ['actor', 'causation', 'correlation', 'hash'] as const;

/** Streams of ours alone, for the server to filter by. */
export const ownPrefixes = categories.map((category) => `${category}-`);

/**
 * Our event, or null for one that the server or another program wrote. What does not have our form comes with schema 0,
 * which no type has: the codec then calls it unreadable.
 */
export function toRaw(resolved: AnyEvent): RawEvent | null {
  const record = resolved.event;
  if (!record || !ownPrefixes.some((prefix) => record.streamId.startsWith(prefix))) return null;
  const { id, type, streamId, revision, created } = record;
  const { schema, at, ...rest } = plain(record.metadata);
  return {
    position: positionOf(resolved),
    stream: streamId as StreamName,
    revision: Number(revision),
    id,
    type,
    schema: typeof schema === 'number' ? schema : 0,
    at: typeof at === 'string' ? at : created.toISOString(),
    data: (record.isJson ? plain(record.data) : {}) as JsonObject,
    metadata: {
      ...(Object.fromEntries(cause.map((name) => [name, String(rest[name] ?? '')])) as RawMetadata),
      ...(typeof rest['mac'] === 'string' ? { mac: rest['mac'] } : {}),
    },
  };
}

/** An event as a leaf, whatever its stream; null for one of the server's own. Throws `ForeignEventError`. */
export function leafOf(resolved: AnyEvent): LogLeaf | null {
  const record = resolved.event;
  if (!record || record.streamId.startsWith('$')) return null;
  const { at, hash, mac } = plain(record.metadata);
  const written = typeof at === 'string' ? at : record.created.toISOString();
  return toLeaf({ position: positionOf(resolved), at: written, hash, mac });
}

/** Where an event stands in the whole log. */
export function positionOf({ event, commitPosition }: AnyEvent): Position {
  const commit = event?.position?.commit ?? commitPosition;
  if (commit === undefined || commit === NOWHERE) {
    throw new Error('the server is too old: it leaves positions out when it reads a stream');
  }
  return commit.toString();
}

/** For the client. Events of one append have the same commit and prepare position each. */
export function toLogPosition(position: Position | typeof END): LogPosition | typeof LOG_START | typeof END {
  if (position === END) return END;
  if (position === START) return LOG_START;
  return { commit: BigInt(position), prepare: BigInt(position) };
}

function plain(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
