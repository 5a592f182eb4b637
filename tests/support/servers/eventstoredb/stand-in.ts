import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { ClusterInfo, EndPoint, MemberInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { SupportedMethod, SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { Empty } from '@eventstore/db-client/generated/shared_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import {
  type handleUnaryCall,
  type Metadata,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { appendCall, batchAppendCall } from './append-calls.ts';
import { createFaults, type Fault, type Faults, rejections } from './faults.ts';
import { readCall } from './read-calls.ts';
import { createServerLog, type ServerLog } from './server-log.ts';

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

function bind(server: Server, port: number, { tls }: StandInOptions): Promise<number> {
  const credentials = tls
    ? ServerCredentials.createSsl(null, [{ cert_chain: tls.certificate, private_key: tls.key }])
    : ServerCredentials.createInsecure();
  return new Promise((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, credentials, (error, bound) =>
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
