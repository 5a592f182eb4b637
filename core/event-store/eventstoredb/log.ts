import { BACKWARDS, END, FORWARDS, NO_STREAM, WrongExpectedVersionError } from '@eventstore/db-client';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { WrongExpectedRevisionError } from '../errors.ts';
import type { RawEvent, RawLog } from '../raw-log.ts';
import type { Connection } from './connection.ts';
import { toRaw, toStored } from './events.ts';
import { createHead, type ReadPage } from './pages.ts';
import { readToEnd } from './reading.ts';

const SMALLEST_PAGE = 100;
const LARGEST_PAGE = 2_000;
/** What an event adds to the time that its append may take, in milliseconds: each is a message of its own. */
const MS_PER_EVENT = 3;

/** The log on a server of EventStoreDB, without subscriptions. */
export function createEventStoreDbLog(
  connection: Connection,
  readPage: ReadPage,
): Omit<RawLog, 'subscribeAll'> {
  const readStream = async (
    stream: StreamName,
    range: {
      fromRevision: bigint | typeof END;
      direction: typeof FORWARDS | typeof BACKWARDS;
      maxCount?: number;
    },
  ): Promise<RawEvent[]> => {
    const read = await connection.exchange((line, ms) =>
      readToEnd(
        line.client.readStream(stream, { ...line.options, requiresLeader: true, ...range }),
        line,
        ms,
      ),
    );
    return read.flatMap((event) => toRaw(event) ?? []);
  };

  return {
    async append(stream, expected, events) {
      const expectedRevision = expected === 'no-stream' ? NO_STREAM : BigInt(expected);
      const stored = events.map(toStored);
      try {
        const { nextExpectedRevision, position } = await connection.exchange(
          ({ client, options }, deadline) =>
            client.appendToStream(stream, stored, {
              ...options,
              requiresLeader: true,
              deadline,
              expectedRevision,
            }),
          connection.patience.request + events.length * MS_PER_EVENT,
        );
        const revision = Number(nextExpectedRevision);
        // The server answers a repeat as it did the first time: whether these bytes were written is not known.
        if (position) return { revision, position: position.commit.toString(), fresh: false };
        const range = { fromRevision: nextExpectedRevision, direction: FORWARDS, maxCount: 1 } as const;
        const [last] = await readStream(stream, range);
        if (!last) throw new Error('an event just appended is not there');
        return { revision, position: last.position, fresh: false };
      } catch (error) {
        if (!(error instanceof WrongExpectedVersionError)) throw error;
        const actual = typeof error.actualVersion === 'bigint' ? Number(error.actualVersion) : 'no-stream';
        throw new WrongExpectedRevisionError(stream, expected, actual);
      }
    },

    readStream: (stream, from, limit) =>
      readStream(stream, {
        fromRevision: BigInt(from),
        direction: FORWARDS,
        ...(limit === undefined ? {} : { maxCount: limit }),
      }),

    async lastRevision(stream) {
      const range = { fromRevision: END, direction: BACKWARDS, maxCount: 1 } as const;
      const [last] = await readStream(stream, range);
      return last?.revision ?? 'no-stream';
    },

    async readAll(after, limit) {
      const events: RawEvent[] = [];
      for (let from = after; ; ) {
        const wanted = limit - events.length;
        const page = await readPage(from, Math.min(Math.max(wanted, SMALLEST_PAGE), LARGEST_PAGE));
        events.push(...page.events.slice(0, wanted));
        if (!page.full || events.length === limit) return events;
        from = page.end;
      }
    },

    head: createHead(connection),
  };
}
