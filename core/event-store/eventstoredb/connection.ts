import { type BaseOptions, EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { pause } from '../outage.ts';
import { type BatchCall, type Batches, createBatches } from './batches.ts';
import { readConnectionString } from './connection-string.ts';
import { explain, isSilence, mayPass, SilentServerError } from './failures.ts';

/** How long a caller is kept waiting, in milliseconds. */
export type Patience = Readonly<{
  /** For one try of what a request waits for. There are two, so that a write is answered within two seconds. */
  request: number;
  /** For a page of the log, which nobody waits for. */
  page: number;
  /** How old a connection must be to be given up for its silence: what is slow before is not the connection's fault. */
  renewal: number;
}>;

export const defaultPatience: Patience = { request: 900, page: 5_000, renewal: 5_000 };

const TRIES = 2;

/** A client and what every call hands it. `retired` aborts when its connection is about to be closed. */
export type Line = Readonly<{
  client: EventStoreDBClient;
  options: BaseOptions;
  batches: Batches;
  retired: AbortSignal;
}>;

export type Connection = Readonly<{
  patience: Patience;
  /** The line of the moment, for what lasts. */
  line(): Line;
  /**
   * One exchange, tried twice: only for what may be repeated. Throws `EventStoreUnavailableError` when the time
   * (milliseconds for each try) is over or the server away, else what the client threw.
   */
  exchange<T>(work: (line: Line, ms: number) => Promise<T>, ms?: number): Promise<T>;
  close(): Promise<void>;
}>;

/** Opens nothing yet. Throws RangeError when `url` is not a connection string. */
export function createConnection(url: string, patience: Patience): Connection {
  const { connectionString, credentials } = readConnectionString(url);
  // Credentials with each call keep the client's own batched append from being chosen, which has no deadline.
  const options = { credentials: credentials ?? { username: '', password: '' } };
  const open = () => openLine(connectionString, options);
  let current = open();

  /** Silence can be a dead connection or a lost answer that the client waits for: a new one knows neither. */
  function replace(silent: OwnLine): void {
    if (silent !== current || performance.now() - silent.openedAt < patience.renewal) return;
    current = open();
    silent.retire();
  }

  async function attempt<T>(work: (line: Line, ms: number) => Promise<T>, ms: number): Promise<T> {
    const line = current;
    try {
      return await inTime(work(line, ms), ms);
    } catch (error) {
      if (isSilence(error)) replace(line);
      throw explain(error);
    }
  }

  return {
    patience,
    line: () => current,
    async exchange(work, ms = patience.request) {
      for (let tried = 1; ; tried += 1) {
        try {
          return await attempt(work, ms);
        } catch (error) {
          if (tried === TRIES || !mayPass(error)) throw error;
          await pause(30 + Math.random() * 60);
        }
      }
    },
    close: () => current.retire(),
  };
}

type OwnLine = Line & Readonly<{ openedAt: number; retire(): Promise<void> }>;

function openLine(connectionString: string, options: BaseOptions): OwnLine {
  const client = EventStoreDBClient.connectionString(connectionString);
  const retiring = new AbortController();
  const batches = createBatches(() => openBatchCall(client, options));
  return {
    client,
    options,
    batches,
    retired: retiring.signal,
    openedAt: performance.now(),
    async retire() {
      retiring.abort();
      batches.close(new SilentServerError('the connection was given up'));
      await client.dispose();
      // Disposing leaves the channel open. Not waited for: a cluster may still be looked for.
      client['getChannel']().then(
        (channel) => channel.close(),
        () => undefined,
      );
    },
  };
}

/** The client's own stub on the client's own channel, without its bookkeeping of answers. */
async function openBatchCall(client: EventStoreDBClient, options: BaseOptions): Promise<BatchCall> {
  const streams = (await client['getGRPCClient'](StreamsClient, 'batchAppend')) as StreamsClient;
  const leading = client['callArguments']({ ...options, requiresLeader: true }, { deadline: Infinity });
  const call = streams.batchAppend(...leading);
  // The client goes to another leader, or connects anew, for errors that its own calls end with.
  call.on('error', (error) => client['handleError'](streams, error));
  return call;
}

/** Rejects with `SilentServerError` when the work takes longer than `ms`. */
async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SilentServerError('the event store does not answer')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
