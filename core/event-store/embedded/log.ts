import type { StreamName } from '#core/kernel/stream-name.ts';
import type { Position } from '../port.ts';
import type { Query } from '../query.ts';
import type { JsonObject, RawEvent, RawLog, RawMetadata } from '../raw-log.ts';
import { createAppend, toExpected } from './append.ts';

type Row = {
  pos: string;
  stream: StreamName;
  revision: number;
  id: string;
  type: string;
  schema: number;
  at: Date;
  data: JsonObject;
  meta: RawMetadata;
};

const COLUMNS = 'pos, stream, revision, id, type, schema, at, data, meta';

/** The log as tables of Postgres, without subscriptions. `onAppend` is called after each commit. */
export function createEmbeddedLog(query: Query, onAppend: () => void): Omit<RawLog, 'subscribeAll'> {
  return {
    append: createAppend(query, onAppend),

    async readStream(stream, from, limit) {
      const rows = await query<Row>({
        text: `select ${COLUMNS} from event_store.events
          where stream = $1 and revision >= $2 order by revision limit $3`,
        values: [stream, from, limit ?? null],
      });
      return rows.map(toEvent);
    },

    async lastRevision(stream) {
      const [row] = await query<{ revision: number }>({
        text: 'select coalesce(max(revision), -1) as revision from event_store.events where stream = $1',
        values: [stream],
      });
      return toExpected(row?.revision ?? -1);
    },

    async readAll(after, limit) {
      const rows = await query<Row>({
        text: `select ${COLUMNS} from event_store.events where pos > $1 order by pos limit $2`,
        values: [after, limit],
      });
      return rows.map(toEvent);
    },

    async head(): Promise<Position> {
      const [row] = await query<{ pos: string }>({
        text: 'select coalesce(max(pos), 0) as pos from event_store.events',
        values: [],
      });
      return row?.pos ?? '0';
    },
  };
}

function toEvent({ pos, at, meta, ...row }: Row): RawEvent {
  return { ...row, position: pos, at: at.toISOString(), metadata: meta };
}
