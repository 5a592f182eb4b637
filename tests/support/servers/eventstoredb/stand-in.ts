import { writeSync } from 'node:fs';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { ClusterInfo, EndPoint, MemberInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { SupportedMethod, SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import { type Empty, StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { type ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  type Metadata,
  Server,
  ServerCredentials,
  type ServerWritableStream,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { appendCall, batchAppendCall } from './append-calls.ts';
import {
  createFaults,
  createServerLog,
  type Fault,
  type Faults,
  type LogEvent,
  rejections,
  type ServerLog,
} from './server-log.ts';

type AnyCall = { metadata: Metadata; emit(event: 'error', error: unknown): boolean };
type AnyHandler = (call: AnyCall, callback?: (error: unknown, value: null) => void) => void;

/** Lets known users through. Others get the error that the server gives. */
function guarded(
  calls: UntypedServiceImplementation,
  users: Readonly<Record<string, string>>,
): UntypedServiceImplementation {
  const known = Object.entries(users).map(([name, password]) => `Basic ${btoa(`${name}:${password}`)}`);
  return Object.fromEntries(
    Object.entries(calls).map(([name, handler]) => [
      name,
      ((call, callback) => {
        if (known.includes(String(call.metadata.get('authorization')[0])))
          return (handler as AnyHandler)(call, callback);
        if (callback) callback(rejections.unauthenticated, null);
        else call.emit('error', rejections.unauthenticated);
      }) satisfies AnyHandler as never,
    ]),
  );
}

/** A member of a cluster as gossip tells of it. */
export type Member = Readonly<{ host: string; port: number; leads: boolean; isAlive?: boolean }>;

export type StandInOptions = Readonly<{
  /** What it serves; its own log when absent. Two servers on one log are a cluster. */
  log?: ServerLog;
  /** Where it listens: 127.0.0.1 when absent. An address with colons stands in brackets. */
  listens?: '127.0.0.1' | '[::1]';
  /** A free one when absent. */
  port?: number;
  /** PEM texts. With them it wants a known user. */
  tls?: Readonly<{ certificate: Buffer; key: Buffer }>;
  users?: Readonly<Record<string, string>>;
  /** Who is in the cluster, asked at each gossip; itself alone when absent. */
  members?: () => readonly Member[];
  /** The version that it says it is. */
  version?: string;
  /** What becomes of an append, and of a read that wants the leader, by the part that the server has in its cluster. */
  role?: (call: 'append' | 'read') => Fault | undefined;
}>;

/** A server that speaks EventStoreDB's protocol, with faults to order. */
export type StandIn = Readonly<{
  log: ServerLog;
  faults: Faults;
  host: string;
  port: number;
  /** Cuts every connection and refuses new ones. The log stays. */
  kill(): void;
  /** Listens again on the same port. */
  restart(): Promise<void>;
}>;

const HOST = 'localhost';

/** Listens on a free port of this machine. */
export async function startStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const log = options.log ?? createServerLog();
  const faults = createFaults(options.role);
  const self = { host: HOST, port: 0, leads: true };
  const members = options.members ?? (() => [self]);
  const open = async (port: number) => {
    const server = new Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 });
    const add = (service: unknown, calls: UntypedServiceImplementation) =>
      server.addService(service as ServiceDefinition, options.users ? guarded(calls, options.users) : calls);
    add(StreamsService, {
      append: appendCall(log, faults),
      read: readCall(log, faults),
      batchAppend: batchAppendCall(log, faults),
    } as UntypedServiceImplementation);
    add(ServerFeaturesService, { getSupportedMethods: featuresCall(options.version ?? '23.10.6') });
    server.addService(GossipService as unknown as ServiceDefinition, { read: gossipCall(faults, members) });
    const bound = await bind(server, port, options);
    return { server, port: bound };
  };
  let { server, port } = await open(options.port ?? 0);
  self.port = port;
  return {
    log,
    faults,
    host: HOST,
    port,
    kill: () => server.forceShutdown(),
    async restart() {
      ({ server, port } = await open(port));
    },
  };
}

function bind(server: Server, port: number, { tls, listens = '127.0.0.1' }: StandInOptions): Promise<number> {
  const credentials = tls
    ? ServerCredentials.createSsl(null, [{ cert_chain: tls.certificate, private_key: tls.key }])
    : ServerCredentials.createInsecure();
  return new Promise((resolve, reject) => {
    server.bindAsync(`${listens}:${port}`, credentials, (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
}

function featuresCall(version: string): handleUnaryCall<Empty, SupportedMethods> {
  return (_call, callback) => callback(null, features(version));
}

function features(version: string): SupportedMethods {
  const methods = ['Append', 'BatchAppend', 'Read'].map((name) =>
    new SupportedMethod().setServiceName('event_store.client.streams.Streams').setMethodName(name),
  );
  return new SupportedMethods().setEventStoreServerVersion(version).setMethodsList(methods);
}

function gossipCall(faults: Faults, members: () => readonly Member[]): handleUnaryCall<Empty, ClusterInfo> {
  return (_call, callback) => {
    const fault = faults.take('gossip');
    if (fault?.kind === 'reject') callback(fault.error, null);
    else if (fault?.kind !== 'silence') callback(null, gossip(members()));
  };
}

function gossip(members: readonly Member[]): ClusterInfo {
  const { LEADER, FOLLOWER } = MemberInfo.VNodeState;
  return new ClusterInfo().setMembersList(
    members.map(({ host, port, leads, isAlive = true }) =>
      new MemberInfo()
        .setState(leads ? LEADER : FOLLOWER)
        .setIsAlive(isAlive)
        .setTimeStamp(String(Date.now()))
        .setHttpEndPoint(new EndPoint().setAddress(host).setPort(port)),
    ),
  );
}

type Call = ServerWritableStream<ReadReq, ReadResp>;

/** Reads of one stream or of the whole log, to the end or for ever. */
export function readCall(log: ServerLog, faults: Faults): handleServerStreamingCall<ReadReq, ReadResp> {
  return async (call) => {
    const options = call.request.getOptions();
    const wantsLeader = call.metadata.get('requires-leader')[0] === 'true';
    const fault = faults.take(options?.hasSubscription() ? 'subscribe' : 'read', wantsLeader);
    if (fault?.kind === 'silence' || !options) return;
    if (fault?.kind === 'reject') return void call.emit('error', fault.error);
    if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms));
    const most = fault?.kind === 'end' ? fault.after : Number.POSITIVE_INFINITY;
    if (beginsNowhere(log, options)) return void call.emit('error', rejections.internal);
    if (options.hasSubscription()) return follow(call, options, log, most);
    const stream = options.getStream();
    if (stream && log.stream(nameOf(stream)).length === 0) {
      const missing = new ReadResp.StreamNotFound().setStreamIdentifier(stream.getStreamIdentifier());
      call.write(new ReadResp().setStreamNotFound(missing));
    } else {
      const found = stream ? inStream(log, stream, options) : inLog(log, options);
      for (const event of found.slice(0, Math.min(Number(options.getCount()), most))) {
        if (!(await send(call, toResponse(event)))) return;
      }
    }
    call.end();
  };
}

function inStream(
  log: ServerLog,
  range: ReadReq.Options.StreamOptions,
  options: ReadReq.Options,
): readonly LogEvent[] {
  const events = log.stream(nameOf(range));
  if (options.getReadDirection() === 0)
    return range.hasRevision() ? events.slice(Number(range.getRevision())) : events;
  return (range.hasRevision() ? events.slice(0, Number(range.getRevision()) + 1) : events).toReversed();
}

/** Forwards the event at the position itself is the first; backwards the one before it. */
function inLog(log: ServerLog, options: ReadReq.Options): readonly LogEvent[] {
  const place = options.getAll()?.getPosition();
  const position = place ? BigInt(place.getCommitPosition()) : null;
  if (options.getReadDirection() === 0) return log.all.slice(position === null ? 0 : firstAt(log, position));
  return log.all.slice(0, position === null ? log.all.length : firstAt(log, position)).toReversed();
}

/** A position in the whole log at which no record begins: a server fails what would be read from there. */
function beginsNowhere(log: ServerLog, options: ReadReq.Options): boolean {
  const place = options.getAll()?.getPosition();
  if (!place || options.getReadDirection() !== 0) return false;
  const position = BigInt(place.getCommitPosition());
  return log.all[firstAt(log, position)]?.position !== position;
}

/** A subscription after a position: what is there, the word that it has caught up, then what comes. */
async function follow(call: Call, options: ReadReq.Options, log: ServerLog, most: number): Promise<void> {
  const place = options.getAll()?.getPosition();
  const prefixes = options.getFilter()?.getStreamIdentifier()?.getPrefixList();
  let next = place ? firstAt(log, BigInt(place.getCommitPosition()) + 1n) : 0;
  let wake = () => {};
  const stop = log.onAppend(() => wake());
  call.on('cancelled', () => wake());
  try {
    const confirmation = new ReadResp.SubscriptionConfirmation().setSubscriptionId(crypto.randomUUID());
    if (!(await send(call, new ReadResp().setConfirmation(confirmation)))) return;
    for (let sent = 0, live = false; !call.cancelled; ) {
      const event = log.all[next];
      if (event) {
        next += 1;
        if (prefixes && !prefixes.some((prefix) => event.stream.startsWith(prefix))) continue;
        if (!(await send(call, toResponse(event)))) return;
        sent += 1;
        if (sent >= most) return void call.end();
        continue;
      }
      if (!live && !(await send(call, new ReadResp().setCaughtUp(new ReadResp.CaughtUp())))) return;
      live = true;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (log.all.length > next || call.cancelled) resolve();
      });
    }
  } finally {
    stop();
  }
}

/** Waits while the client takes no more. False once it is gone. */
async function send(call: Call, response: ReadResp): Promise<boolean> {
  if (call.cancelled) return false;
  if (!call.write(response)) {
    await new Promise<void>((resolve) => {
      const go = () => {
        call.off('drain', go).off('cancelled', go);
        resolve();
      };
      call.on('drain', go).on('cancelled', go);
    });
  }
  return !call.cancelled;
}

function toResponse(event: LogEvent): ReadResp {
  const record = new ReadResp.ReadEvent.RecordedEvent();
  const position = String(event.position);
  record.setId(new UUID().setString(event.id));
  record.setStreamIdentifier(
    new StreamIdentifier().setStreamName(Buffer.from(event.stream).toString('base64')),
  );
  record.setStreamRevision(String(event.revision)).setCommitPosition(position).setPreparePosition(position);
  record.getMetadataMap().set('type', event.type).set('content-type', event.contentType);
  record.getMetadataMap().set('created', String(BigInt(event.created.getTime()) * 10_000n));
  record.setData(event.data).setCustomMetadata(event.metadata);
  return new ReadResp().setEvent(new ReadResp.ReadEvent().setEvent(record).setCommitPosition(position));
}

/** The place in the list of the first event at the position or behind it. */
function firstAt({ all }: ServerLog, position: bigint): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.position ?? 0n) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function nameOf(range: ReadReq.Options.StreamOptions): string {
  return Buffer.from(range.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8');
}

// A stand-in in a process of its own, for measurements: says its port and serves until it is ended.
if (import.meta.main) {
  const { port } = await startStandIn();
  writeSync(1, `${port}\n`);
}
