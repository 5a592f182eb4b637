import { DatabaseError } from 'pg';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { WrongExpectedRevisionError } from '../errors.ts';
import type { ExpectedRevision, Position } from '../port.ts';
import type { Query } from '../query.ts';
import type { JsonObject, NewRawEvent, RawEvent, RawLog, RawMetadata } from '../raw-log.ts';

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

type Outcome = { outcome: 'appended' | 'repeated' | 'conflict'; revision: number; pos: string };

const UNIQUE_VIOLATION = '23505';
const COLUMNS = 'pos, stream, revision, id, type, schema, at, data, meta';

/** The log as tables of Postgres, without subscriptions. `onAppend` is called after each commit. */
export function createEmbeddedLog(query: Query, onAppend: () => void): Omit<RawLog, 'subscribeAll'> {
  return {
    async append(stream, expected, events) {
      const answer = await appendOnce(query, stream, expected, events);
      if (!answer || answer.outcome === 'conflict') {
        throw new WrongExpectedRevisionError(stream, expected, toExpected(answer?.revision ?? -1));
      }
      onAppend();
      const { outcome, revision, pos } = answer;
      return { revision, position: pos, fresh: outcome === 'appended' };
    },

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

async function appendOnce(
  query: Query,
  stream: StreamName,
  expected: ExpectedRevision,
  events: readonly NewRawEvent[],
): Promise<Outcome | undefined> {
  try {
    const [answer] = await query<Outcome>({
      name: 'event-store-append',
      text: 'select outcome, revision, pos from event_store.append($1, $2, $3, $4, $5, $6, $7, $8)',
      values: [
        stream,
        expected === 'no-stream' ? -1 : expected,
        events.map(({ id }) => id),
        events.map(({ type }) => type),
        events.map(({ schema }) => schema),
        events.map(({ at }) => at),
        events.map(({ data }) => JSON.stringify(data)),
        events.map(({ metadata }) => JSON.stringify(metadata)),
      ],
    });
    return answer;
  } catch (error) {
    // The stream is where it was expected, but one of the ids stands elsewhere in the log.
    const taken = error instanceof DatabaseError && error.code === UNIQUE_VIOLATION;
    throw taken ? new WrongExpectedRevisionError(stream, expected, expected) : error;
  }
}

function toExpected(revision: number): ExpectedRevision {
  return revision < 0 ? 'no-stream' : revision;
}

function toEvent({ pos, at, meta, ...row }: Row): RawEvent {
  return { ...row, position: pos, at: at.toISOString(), metadata: meta };
}
