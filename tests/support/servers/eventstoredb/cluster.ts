import { tcpGate } from '#tests/support/servers/tcp-gate.ts';
import { type Fault, rejections } from './faults.ts';
import { createServerLog, type ServerLog } from './server-log.ts';
import { type Member, type StandIn, startStandIn } from './stand-in.ts';

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
