import { afterEach } from 'vitest';
import { openEventStoreDbLog } from '#core/event-store/eventstoredb/event-store.ts';
import type { SubscriptionLimits } from '#core/event-store/eventstoredb/subscription.ts';
import type { Position } from '#core/event-store/port.ts';
import type { NewRawEvent, RawEvent, RawLog } from '#core/event-store/raw-log.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { eventId } from '#tests/event-store/samples.ts';
import { tcpGate } from '#tests/support/servers/outages.ts';
import { createServerLog, type Fault, type LogEvent, rejections, type ServerLog } from './server-log.ts';
import { type Member, type StandIn, startStandIn } from './stand-in.ts';

type Options = Omit<Parameters<typeof openEventStoreDbLog>[0], 'url'> & { query?: string };

/** The adapter, without keys and schemas, on a stand-in. */
export function openRaw(
  { host, port }: Pick<StandIn, 'host' | 'port'>,
  { query = 'tls=false', ...options }: Options = {},
) {
  return openEventStoreDbLog({ url: `esdb://${host}:${port}?${query}`, ...options });
}

/** An event that means nothing; the same seed gives the same bytes. */
export function rawEvent(stream: StreamName, seed: string | number, bytes = 10): NewRawEvent {
  return {
    id: eventId(stream, seed),
    type: 'JobNotesChanged',
    schema: 1,
    at: '2026-11-20T01:02:03.004Z',
    data: { seed: String(seed), text: 'x'.repeat(bytes) },
    metadata: { actor: 'system', causation: 'c', correlation: 'r', hash: '0'.repeat(64) },
  };
}

/** Events `first`, `first + 1`, … of a stream. */
export function rawEvents(stream: StreamName, amount: number, first = 0): NewRawEvent[] {
  return Array.from({ length: amount }, (_, index) => rawEvent(stream, first + index));
}

/** Takes from a subscription until the condition holds. `onBatch` may dawdle. */
export async function takeUntil(
  log: RawLog,
  after: Position,
  condition: (seen: readonly RawEvent[]) => boolean,
  onBatch: (events: readonly RawEvent[]) => Promise<void> | void = () => {},
  batch = 100,
): Promise<RawEvent[]> {
  const controller = new AbortController();
  const seen: RawEvent[] = [];
  for await (const message of log.subscribeAll(after, { batch, signal: controller.signal })) {
    if (message.kind !== 'events') continue;
    seen.push(...message.events);
    if (condition(seen)) break;
    await onBatch(message.events);
  }
  controller.abort();
  return seen;
}

/** Opens servers and logs for a test, and closes them after it. */
export function subscriptionStage() {
  const closing: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });
  const defer = (close: () => Promise<void> | void) => void closing.push(close);
  return {
    defer,
    async start(): Promise<StandIn> {
      const server = await startStandIn();
      defer(() => server.kill());
      return server;
    },
    open(server: Pick<StandIn, 'host' | 'port'>, limits: Partial<SubscriptionLimits> = {}) {
      const log = openRaw(server, { timeouts, limits: { queue: 2_000, silence: 10_000, ...limits } });
      defer(() => log.close());
      return log;
    },
  };
}

/** Long: slow machines are no outage. */
export const timeouts = { request: 10_000, page: 10_000 };

/** Writes past the adapter, as other processes do: this many more events of a stream. */
export function fill(server: StandIn, stream: StreamName, amount: number): void {
  const first = server.log.stream(stream).length;
  const events = rawEvents(stream, amount, first).map(({ id, type, data }) => ({
    id,
    type,
    contentType: 'application/json',
    data: Buffer.from(JSON.stringify(data)),
    metadata: Buffer.from('{"schema":1,"at":"2026-11-20T01:02:03.004Z"}'),
  }));
  server.log.append(stream, 'any', events);
}

/** What the server holds of ours. */
export function own(server: StandIn): LogEvent[] {
  return server.log.all.filter(({ stream }) => /^job-/.test(stream));
}

/** To compare what was seen with what there is: positions are unique. */
export function places(events: readonly { position: string | bigint }[]): string[] {
  return events.map(({ position }) => String(position));
}

/** A member of a cluster. `unreplicated`: appends that it took as a leader without followers, which no other member has. */
export type Node = {
  readonly server: StandIn;
  readonly host: string;
  readonly port: number;
  state: 'up' | 'frozen' | 'dead';
  /** Who leads, as this member believes. */
  leader: Node | null;
  unreplicated: number;
};

export type Cluster = Readonly<{
  /** What the majority has: all that is acknowledged, and all that is shown. */
  log: ServerLog;
  nodes: readonly [Node, Node, Node];
  /** `esdb://` with all three as seeds, or with these. */
  url(seeds?: readonly Node[]): string;
  /** All that can be reached follow this one. A member that hangs does not learn it. */
  elect(leader: Node): void;
  /** As SIGSTOP: it takes connections and says nothing. What it believes stays. */
  freeze(node: Node): void;
  /** As SIGCONT: what was sent meanwhile arrives, and it believes what it did. */
  thaw(node: Node): void;
  kill(node: Node): void;
  /** As a follower of who leads now. What was not replicated is cut off its log. */
  restart(node: Node): Promise<void>;
  close(): Promise<void>;
}>;

/** Three servers with one log between them; the first leads. Who leads next is the test's to say. */
export async function startCluster(): Promise<Cluster> {
  const log = createServerLog();
  const opened = [
    await open(log, members, role),
    await open(log, members, role),
    await open(log, members, role),
  ];
  const nodes = opened.map(({ node }) => node) as [Node, Node, Node];
  const gateOf = (node: Node) => opened[nodes.indexOf(node)]?.gate;
  for (const node of nodes) node.leader = nodes[0];

  function members(asked: Node) {
    return nodes.map((node) => ({
      ...{ host: node.host, port: node.port, leads: asked.leader === node },
      // A member that hangs is believed alive until another has been elected.
      isAlive: node === asked || node.state === 'up' || (node.state === 'frozen' && asked.leader === node),
    }));
  }

  function role(node: Node, call: 'append' | 'read'): Fault | undefined {
    const { leader } = node;
    if (!leader) return { kind: 'reject', error: rejections.unavailable };
    if (leader !== node) return { kind: 'reject', error: rejections.notLeader(leader.host, leader.port) };
    const followers = nodes.filter(
      (other) => other !== node && other.state === 'up' && other.leader === node,
    );
    if (call === 'read' || followers.length > 0) return undefined;
    node.unreplicated += 1;
    return { kind: 'silence' };
  }

  return {
    log,
    nodes,
    url: (seeds = nodes) => `esdb://${seeds.map(({ host, port }) => `${host}:${port}`).join()}?tls=false`,
    elect(leader) {
      for (const node of nodes) if (node.state === 'up') node.leader = leader;
    },
    freeze(node) {
      node.state = 'frozen';
      gateOf(node)?.freeze();
    },
    thaw(node) {
      node.state = 'up';
      gateOf(node)?.thaw();
    },
    kill(node) {
      node.state = 'dead';
      gateOf(node)?.thaw();
      gateOf(node)?.shut();
      node.server.kill();
    },
    async restart(node) {
      await node.server.restart();
      node.leader = nodes.find((other) => other.leader === other && other.state === 'up') ?? null;
      node.unreplicated = 0;
      node.state = 'up';
      gateOf(node)?.open();
    },
    async close() {
      for (const { node, gate } of opened) {
        await gate.close();
        node.server.kill();
      }
    },
  };
}

async function open(
  log: ServerLog,
  members: (asked: Node) => readonly Member[],
  role: (node: Node, call: 'append' | 'read') => Fault | undefined,
) {
  const server = await startStandIn({
    log,
    members: () => members(node),
    role: (call) => role(node, call),
  });
  const gate = await tcpGate(`http://127.0.0.1:${server.port}`);
  const { port } = new URL(gate.url);
  const node: Node = {
    server,
    host: '127.0.0.1',
    port: Number(port),
    state: 'up',
    leader: null,
    unreplicated: 0,
  };
  return { node, gate };
}
