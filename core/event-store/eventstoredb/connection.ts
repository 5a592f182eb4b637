import { type BaseOptions, EventStoreDBClient, NotLeaderError } from '@eventstore/db-client';
import { GossipClient } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { EventStoreUnavailableError, SilentServerError } from '#core/event-store/errors.ts';
import { createWakeUp } from '#core/event-store/waiting.ts';
import { pause } from '#core/kernel/pause.ts';
import { type BatchCall, type Batches, createBatches } from './batches.ts';
import { channelCredentials, openChannel } from './channel.ts';
import {
  type ConnectionSettings,
  type Endpoint,
  endpointOf,
  readConnectionString,
} from './connection-string.ts';
import { createDiscovery, type Discovery, readGossip } from './discovery.ts';
import { explain, isSilence, mayPass } from './failures.ts';
import { naming } from './unreached.ts';

/** How long a caller waits at most, in milliseconds. */
export type Timeouts = Readonly<{
  /** For one try of what a request waits for. There are two, so that a write is answered within two seconds. */
  request: number;
  /** For a page of the log, which no request waits for. */
  page: number;
  /** How old a connection must be to be given up for its silence: what is slow before is not the connection's fault. */
  renewal: number;
}>;

export const defaultTimeouts: Timeouts = { request: 900, page: 5_000, renewal: 5_000 };

const TRIES = 2;
/** How long a connection to a cluster may say nothing before its server is asked whether it is there, in milliseconds. */
const WATCH_MS = 1_000;
/** How long a new connection waits for the one before it to be closed, in milliseconds. */
const LONGEST_RETIREMENT_MS = 500;

/** A client and what every call hands it. `retired` aborts when its connection is about to be closed. */
export type ServerConnection = Readonly<{
  client: EventStoreDBClient;
  options: BaseOptions;
  batches: Batches;
  retired: AbortSignal;
}>;

export type Connection = Readonly<{
  timeouts: Timeouts;
  /**
   * One exchange, tried twice: only for what may be repeated. Throws `EventStoreUnavailableError` when the time
   * (milliseconds for each try) is over or the server unavailable, else what the client threw.
   */
  exchange<T>(work: (server: ServerConnection, ms: number) => Promise<T>, ms?: number): Promise<T>;
  close(): Promise<void>;
}>;

/** Opens nothing yet. Throws RangeError when `url` is not a connection string. */
export function createConnection(url: string, timeouts: Timeouts): Connection {
  const settings = readConnectionString(url);
  const { findLeader, failure } = settings.discovers ? createDiscovery(settings) : alone(settings.hosts[0]);
  const closing = new AbortController();
  let current = settings.discovers ? null : openConnection(settings.hosts[0], settings);
  let search: Promise<OwnConnection> | null = null;

  /** The search that is on, or a new one. It ends with the same connection where nothing is wrong with that. */
  function startSearch(suspect: OwnConnection | null): Promise<OwnConnection> {
    if (search) return search;
    search = find(suspect).finally(() => {
      search = null;
    });
    // Those who wait for it hear of its failure; it may have begun without them.
    search.catch(() => {});
    return search;
  }

  /** Asks again every `intervalMs`, also while a member that hangs is still waited for. */
  async function find(suspect: OwnConnection | null): Promise<OwnConnection> {
    const answers = suspect?.answers(settings.gossipMs);
    const found = createWakeUp();
    let leader: Endpoint | null = null;
    while (!closing.signal.aborted) {
      const seen = found.generation();
      void findLeader(suspect?.endpoint).then((endpoint) => {
        leader = endpoint ?? leader;
        if (endpoint !== null) found.notify();
      });
      await found.sleep(seen, settings.intervalMs, closing.signal);
      if (leader === null || closing.signal.aborted) continue;
      return suspect && leader === suspect.endpoint && (await answers) ? suspect : moveTo(leader);
    }
    throw new EventStoreUnavailableError('the connection is closed');
  }

  function moveTo(endpoint: Endpoint, isHint = false): OwnConnection {
    const left = current;
    current = openConnection(endpoint, settings, left?.retire(), isHint);
    return current;
  }

  function doubt(server: OwnConnection, error: unknown): void {
    if (server !== current || closing.signal.aborted) return;
    const named =
      error instanceof NotLeaderError ? endpointOf(error.leader.address, error.leader.port) : server.endpoint;
    // Members that disagree may name each other: the next leader is then asked for.
    if (named !== server.endpoint && !server.isHint) moveTo(named, true);
    else if (settings.discovers) startSearch(server);
    else if (server.endpoint !== settings.hosts[0]) moveTo(settings.hosts[0]);
    // Silence can be a dead connection or a lost answer that the client waits for: a new one knows neither.
    else if (isSilence(error) && performance.now() - server.openedAt >= timeouts.renewal)
      moveTo(server.endpoint);
  }

  async function attempt<T>(
    work: (server: ServerConnection, ms: number) => Promise<T>,
    ms: number,
  ): Promise<T> {
    let server: OwnConnection | undefined;
    const onServer = async () => {
      server = await (search ?? current ?? startSearch(null));
      await server.opening;
      return work(server, ms);
    };
    try {
      const result = await inTime(onServer(), ms);
      if (server) server.heardAt = performance.now();
      return result;
    } catch (error) {
      const explained = explain(error);
      if (server && mayPass(explained)) doubt(server, error);
      if (!(explained instanceof EventStoreUnavailableError)) throw explained;
      if (server) throw naming(explained, server.endpoint);
      throw failure() ?? new EventStoreUnavailableError(explained.message, { code: 'no-leader' });
    }
  }

  /** A subscriber that receives nothing cannot tell a quiet log from a leader that hangs. */
  async function watch(): Promise<void> {
    const server = current;
    if (!server || search || performance.now() - server.heardAt < WATCH_MS) return;
    server.heardAt = performance.now();
    const leads = await server.answers(settings.gossipMs);
    if (!leads && server === current && !closing.signal.aborted) void startSearch(server);
  }
  const watching = settings.discovers ? setInterval(watch, WATCH_MS) : undefined;
  watching?.unref();

  return {
    timeouts,
    async exchange(work, ms = timeouts.request) {
      for (let tried = 1; ; tried += 1) {
        try {
          return await attempt(work, ms);
        } catch (error) {
          if (tried === TRIES || !mayPass(error)) throw error;
          await pause(30 + Math.random() * 60);
        }
      }
    },
    async close() {
      closing.abort();
      clearInterval(watching);
      await current?.retire();
    },
  };
}

type OwnConnection = ServerConnection & {
  readonly endpoint: Endpoint;
  /** Another member named it the leader. */
  readonly isHint: boolean;
  readonly openedAt: number;
  /** When a call on it last succeeded, as `performance.now()` counts. */
  heardAt: number;
  /** Waits until the one before it is closed: two clients of one server share a connection, which may be the dead one. */
  readonly opening: Promise<unknown>;
  /** Whether the server answers on this very connection within `ms` milliseconds, and does not say that it no longer leads. */
  answers(ms: number): Promise<boolean>;
  retire(): Promise<void>;
};

function openConnection(
  endpoint: Endpoint,
  settings: ConnectionSettings,
  before: Promise<void> = Promise.resolve(),
  isHint = false,
): OwnConnection {
  // Credentials with each call keep the client's own batched append from being chosen, which has no deadline.
  const options = { credentials: settings.credentials ?? { username: '', password: '' } };
  const client = openClient(endpoint, settings);
  const retiring = new AbortController();
  const batches = createBatches(() => openBatchCall(client, options));
  const now = performance.now();
  return {
    ...{ endpoint, isHint, openedAt: now, heardAt: now, client, options, batches },
    opening: Promise.race([before, pause(LONGEST_RETIREMENT_MS)]),
    retired: retiring.signal,
    async answers(ms) {
      try {
        const gossip = (await client['getGRPCClient'](GossipClient, 'gossip')) as GossipClient;
        const self = (await readGossip(gossip, ms)).find((member) => member.endpoint === endpoint);
        return self === undefined || self.leads;
      } catch {
        return false;
      }
    },
    async retire() {
      retiring.abort();
      batches.close(new SilentServerError('the connection was given up'));
      await client.dispose();
      // Disposing leaves the channel open.
      await client['getChannel']().then((channel) => channel.close());
    },
  };
}

/** One server that is named by its address needs no search. */
function alone(endpoint: Endpoint): Discovery {
  return { findLeader: async () => endpoint, failure: () => null };
}

/** The client on a channel of ours: its own takes no IP address as the name of a server with TLS. */
function openClient(endpoint: Endpoint, settings: ConnectionSettings): EventStoreDBClient {
  const { tls, connectionName = 'ute', defaultDeadline } = settings.options;
  const client = new EventStoreDBClient(
    { endpoint, connectionName, ...(defaultDeadline && { defaultDeadline: Number(defaultDeadline) }) },
    { insecure: tls === 'false' },
  );
  // Read now: a file of a certificate that is missing is no outage.
  const credentials = channelCredentials(settings.options);
  client['createChannel'] = async () => openChannel(endpoint, credentials, settings);
  return client;
}

/** The client's own stub on the client's own channel, without its bookkeeping of answers. */
async function openBatchCall(client: EventStoreDBClient, options: BaseOptions): Promise<BatchCall> {
  const streams = (await client['getGRPCClient'](StreamsClient, 'batchAppend')) as StreamsClient;
  const leading = client['callArguments']({ ...options, requiresLeader: true }, { deadline: Infinity });
  const call = streams.batchAppend(...leading);
  // The client connects anew for errors that its own calls end with.
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
