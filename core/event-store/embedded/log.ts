import type { JsonObject } from '#core/kernel/canonical-json.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
import type { Position } from '../port.ts';
import type { Query } from '../query.ts';
import { type RawEvent, type RawLog, type RawMetadata, toLeaf } from '../raw-log.ts';
import { createAppend, toExpected } from './append.ts';

type Row = {
  event: [
    ...place: [position: Position, stream: StreamName, revision: number, id: string],
    ...content: [type: string, schema: number, at: string, data: JsonObject, metadata: RawMetadata],
  ];
};

const AT = `to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** One JSON value instead of nine columns: read and parsed in half the time, and a rebuild reads every event. */
const EVENT = `json_build_array(pos::text, stream, revision, id, type, schema,
  ${AT}, data, meta) as event`;

/**
 * The log as tables of Postgres, without subscriptions. `onAppend` is called after each commit. Its statements are planned
 * once: each follows one index in its order, whatever the values.
 */
export function createEmbeddedLog(
  query: Query,
  onAppend: (last: Position) => void,
): Omit<RawLog, 'subscribeAll'> {
  return {
    append: createAppend(query, onAppend),

    async readStream(stream, from, limit) {
      const rows = await query<Row>(
        plannedOnce(
          `select ${EVENT} from event_store.events
          where stream = $1 and revision >= $2 order by revision limit $3`,
          [stream, from, limit ?? null],
        ),
      );
      return rows.map(toEvent);
    },

    async readStreams(streams) {
      const rows = await query<Row>(
        plannedOnce(
          `select ${EVENT} from event_store.events where stream = any($1) order by stream, revision`,
          [streams],
        ),
      );
      return rows.map(toEvent);
    },

    async lastRevision(stream) {
      const [row] = await query<{ revision: number }>(
        plannedOnce(
          'select coalesce(max(revision), -1) as revision from event_store.events where stream = $1',
          [stream],
        ),
      );
      return toExpected(row?.revision ?? -1);
    },

    async readAll(after, limit) {
      const rows = await query<Row>(
        plannedOnce(`select ${EVENT} from event_store.events where pos > $1 order by pos limit $2`, [
          after,
          limit,
        ]),
      );
      return rows.map(toEvent);
    },

    async readLeaves(after, limit) {
      const rows = await query<{ position: Position; at: string; hash: string | null; mac: string | null }>(
        plannedOnce(
          `select pos::text as position, ${AT} as at, meta->>'hash' as hash, meta->>'mac' as mac
          from event_store.events
          where pos > $1 order by pos limit $2`,
          [after, limit],
        ),
      );
      return rows.map(toLeaf);
    },

    async head(): Promise<Position> {
      const [row] = await query<{ pos: string }>(
        plannedOnce('select coalesce(max(pos), 0) as pos from event_store.events', []),
      );
      return row?.pos ?? '0';
    },
  };
}

function toEvent({ event }: Row): RawEvent {
  const [position, stream, revision, id, type, schema, at, data, metadata] = event;
  return { position, stream, revision, id, type, schema, at, data, metadata };
}
