import { GossipClient } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { type ClusterInfo, MemberInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import { Empty } from '@eventstore/db-client/generated/shared_pb.js';
import { type ChannelCredentials, Metadata } from '@grpc/grpc-js';
import { EventStoreUnavailableError } from '#core/event-store/errors.ts';
import { channelCredentials } from './channel.ts';
import { type ConnectionSettings, type Endpoint, endpointOf } from './connection-string.ts';
import { explain } from './failures.ts';
import { naming } from './unreached.ts';

/** A member of the cluster as another tells of it. */
export type Member = Readonly<{ endpoint: Endpoint; isAlive: boolean; leads: boolean }>;

export type Discovery = Readonly<{
  /**
   * Asks all seeds, and every member that they tell of, side by side. Answers the leader, or null when none is known: each
   * is waited for no longer than `gossipMs`. `avoid` is taken only when nothing speaks for another.
   */
  findLeader(avoid?: Endpoint): Promise<Endpoint | null>;
  /** Why the first member that was asked in vain is not reached; null while all that were asked answer. */
  failure(): EventStoreUnavailableError | null;
}>;

export function createDiscovery({ hosts, gossipMs, options }: ConnectionSettings): Discovery {
  const channel = channelCredentials(options);
  let known: ReadonlySet<Endpoint> = new Set(hosts);
  const failures = new Map<Endpoint, EventStoreUnavailableError>();
  return {
    failure: () => failures.values().next().value ?? null,
    findLeader: (avoid) =>
      new Promise((resolve) => {
        const answers = new Map<Endpoint, readonly Member[]>();
        const asked = new Set<Endpoint>();
        let open = 0;
        const question = async (endpoint: Endpoint) => {
          if (asked.has(endpoint)) return;
          asked.add(endpoint);
          open += 1;
          // One that does not answer has no vote.
          const members = await ask(endpoint, channel, gossipMs).catch((error: unknown) => {
            const explained = explain(error);
            if (explained instanceof EventStoreUnavailableError)
              failures.set(endpoint, naming(explained, endpoint));
            return null;
          });
          open -= 1;
          if (members) {
            failures.delete(endpoint);
            answers.set(endpoint, members);
            for (const member of members) if (member.isAlive) void question(member.endpoint);
          }
          const leader = elected(answers, open === 0, avoid);
          if (leader === null && open > 0) return;
          known = new Set([...hosts, ...[...answers.values()].flat().map((member) => member.endpoint)]);
          resolve(leader);
        };
        for (const endpoint of known) void question(endpoint);
      }),
  };
}

/**
 * The leader is a member that answers and says that it leads: what others say of one that hangs is old. Where the majority
 * names it alone, no other answer is waited for. A leader that was deposed while it hung says so too, for a while.
 */
function elected(
  answers: ReadonlyMap<Endpoint, readonly Member[]>,
  isLast: boolean,
  avoid: Endpoint | undefined,
): Endpoint | null {
  const leadersOf = (members: readonly Member[]) =>
    members.filter(({ isAlive, leads }) => isAlive && leads).map(({ endpoint }) => endpoint);
  // A seed may be another name of a member, which is asked by its own name besides: it votes once.
  const voters = [...answers].filter(([asked, members]) =>
    members.some(({ endpoint }) => endpoint === asked),
  );
  const votes = (candidate: Endpoint) =>
    voters.filter(([, members]) => {
      const leaders = leadersOf(members);
      return leaders.length === 1 && leaders[0] === candidate;
    }).length;
  const [best, second] = voters
    .flatMap(([asked, members]) => (leadersOf(members).includes(asked) ? [asked] : []))
    .map((endpoint) => ({ endpoint, votes: votes(endpoint) - (endpoint === avoid ? 0.5 : 0) }))
    .toSorted((a, b) => b.votes - a.votes);
  if (!best) return null;
  const size = Math.max(...voters.map(([, members]) => members.length));
  return isLast || (!second && votes(best.endpoint) * 2 > size) ? best.endpoint : null;
}

/** On a connection of its own: what the pool shares may be the very one that is dead. */
function ask(endpoint: Endpoint, channel: ChannelCredentials, ms: number): Promise<readonly Member[]> {
  const client = new GossipClient(endpoint, channel, { 'grpc.use_local_subchannel_pool': 1 });
  return readGossip(client, ms).finally(() => client.close());
}

/** Throws what the call ended with, after `ms` milliseconds at the latest. */
export function readGossip(client: GossipClient, ms: number): Promise<readonly Member[]> {
  return new Promise((resolve, reject) => {
    client.read(new Empty(), new Metadata(), { deadline: Date.now() + ms }, (error, info) =>
      error ? reject(error) : resolve(membersOf(info)),
    );
  });
}

function membersOf(info: ClusterInfo): Member[] {
  return info.getMembersList().flatMap((member) => {
    const http = member.getHttpEndPoint();
    if (!http) return [];
    return {
      endpoint: endpointOf(http.getAddress(), http.getPort()),
      isAlive: member.getIsAlive(),
      leads: member.getState() === MemberInfo.VNodeState.LEADER,
    };
  });
}
