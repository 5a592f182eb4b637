import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { EventStoreUnavailableError } from '#core/event-store/errors.ts';
import { openEventStoreDbLog } from '#core/event-store/eventstoredb/event-store.ts';
import { EventStoreRefusedError } from '#core/event-store/eventstoredb/failures.ts';
import { START } from '#core/event-store/port.ts';
import { createServerLog, rejections } from '#tests/support/servers/eventstoredb/server-log.ts';
import { rawEvent, startCluster, takeUntil } from '#tests/support/servers/eventstoredb/stages.ts';
import {
  type Member,
  type StandInOptions,
  startStandIn,
} from '#tests/support/servers/eventstoredb/stand-in.ts';
import { tcpGate } from '#tests/support/servers/outages.ts';
import { newJobStream } from './samples.ts';

const certificate = (name: string) =>
  new URL(`../support/servers/eventstoredb/certificates/${name}`, import.meta.url).pathname;
const tls = {
  certificate: readFileSync(certificate('node.crt')),
  key: readFileSync(certificate('node.key')),
};
const timeouts = { request: 10_000, page: 10_000 };
const closing: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function start(options: StandInOptions = {}) {
  const server = await startStandIn(options);
  closing.push(() => server.kill());
  return server;
}

function open(url: string, waits = timeouts) {
  const log = openEventStoreDbLog({ url, timeouts: waits });
  closing.push(() => log.close());
  return log;
}

const secured = { tls, users: { ute: 'p@ss word' } };
const secure = (port: number, password: string, authority = 'ca.crt') =>
  `esdb://ute:${encodeURIComponent(password)}@localhost:${port}?tls=true&tlsCAFile=${certificate(authority)}`;

test('over TLS, with the authority that signed the server and a user it knows, everything works', async () => {
  const server = await start(secured);
  const log = open(secure(server.port, 'p@ss word'));
  await log.warmUp();
  const stream = newJobStream();
  await log.append(stream, 'no-stream', [rawEvent(stream, 0)]);
  expect(await log.readStream(stream, 0)).toHaveLength(1);
  expect(await takeUntil(log, START, (events) => events.length === 1)).toHaveLength(1);
});

test('the leader is asked for over TLS as well, without a password', async () => {
  const server = await start(secured);
  const log = open(secure(server.port, 'p@ss word').replace('esdb:', 'esdb+discover:'));
  const stream = newJobStream();
  await log.append(stream, 'no-stream', [rawEvent(stream, 0)]);
  expect(await log.readStream(stream, 0)).toHaveLength(1);
  expect(server.faults.count('gossip')).toBeGreaterThan(0);
});

test('with the wrong password every call says that we are refused', async () => {
  const server = await start(secured);
  const log = open(secure(server.port, 'guess'));
  const stream = newJobStream();
  await expect(log.warmUp()).rejects.toThrow(EventStoreRefusedError);
  await expect(log.append(stream, 'no-stream', [rawEvent(stream, 0)])).rejects.toThrow(
    EventStoreRefusedError,
  );
  await expect(log.readStream(stream, 0)).rejects.toThrow(EventStoreRefusedError);
  await expect(log.readAll(START, 1)).rejects.toThrow(EventStoreRefusedError);
  expect(server.log.stream(stream)).toEqual([]);
});

test('a server that another authority signed is not spoken to', async () => {
  const server = await start(secured);
  const log = open(secure(server.port, 'p@ss word', 'other-ca.crt'), { request: 1_000, page: 1_000 });
  await expect(log.warmUp()).rejects.toThrow(EventStoreUnavailableError);
  expect(server.faults.count('read')).toBe(0);
});

test('without TLS a user in the address does no harm, and is not sent', async () => {
  const server = await start();
  const log = open(`esdb://ute:secret@localhost:${server.port}?tls=false`);
  await log.warmUp();
  expect(server.faults.count('read')).toBe(1);
});

test('a connection that goes dead without a word is replaced', async () => {
  const server = await start();
  const gate = await tcpGate(`http://127.0.0.1:${server.port}`);
  closing.push(() => gate.close());
  const waits = { request: 3_000, page: 3_000, renewal: 0 };
  const log = open(`esdb://localhost:${new URL(gate.url).port}?tls=false`, waits);
  const stream = newJobStream();
  await log.append(stream, 'no-stream', [rawEvent(stream, 0)]);
  let stalls = 0;
  const seen = await takeUntil(
    log,
    START,
    (events) => events.length === 2,
    async () => {
      stalls += 1;
      gate.stall();
      await log.append(stream, 0, [rawEvent(stream, 1)]);
    },
  );
  expect(stalls).toBe(1);
  expect(seen.map(({ revision }) => revision)).toEqual([0, 1]);
});

/** Two servers on one log; the first leads until a test makes the other lead. */
async function cluster() {
  const log = createServerLog();
  const members: { host: string; port: number; leads: boolean }[] = [];
  const tell = (): readonly Member[] => members;
  const [first, second] = [await start({ log, members: tell }), await start({ log, members: tell })];
  members.push({ host: first.host, port: first.port, leads: true });
  members.push({ host: second.host, port: second.port, leads: false });
  return {
    first,
    second,
    elect(leader: { port: number }) {
      for (const member of members) member.leads = member.port === leader.port;
    },
  };
}

test('in a cluster the leader is asked for and found, from any list of hosts', async () => {
  const { first, second, elect } = await cluster();
  elect(second);
  for (const url of [
    `esdb+discover://localhost:${first.port}?tls=false`,
    `esdb://localhost:${first.port},localhost:${second.port}?tls=false`,
  ]) {
    const stream = newJobStream();
    await open(url).append(stream, 'no-stream', [rawEvent(stream, 0)]);
  }
  expect(first.faults.count('append')).toBe(0);
  expect(second.faults.count('append')).toBe(2);
});

test('a leader that no longer leads names the one that does, and the append goes there', async () => {
  const { first, second } = await cluster();
  const log = open(`esdb+discover://localhost:${first.port}?tls=false`);
  await log.warmUp();
  first.faults.always('append', { kind: 'reject', error: rejections.notLeader(second.host, second.port) });
  const stream = newJobStream();
  expect((await log.append(stream, 'no-stream', [rawEvent(stream, 0)])).revision).toBe(0);
  expect(second.faults.count('append')).toBe(1);
});

test('when the leader dies the next one is found, and a subscription moves over', async () => {
  const { first, second, elect } = await cluster();
  const url = `esdb://localhost:${first.port},localhost:${second.port}?tls=false`;
  const log = open(url);
  const stream = newJobStream();
  await log.append(stream, 'no-stream', [rawEvent(stream, 0)]);
  const seen = await takeUntil(
    log,
    START,
    (events) => events.length === 2,
    async () => {
      first.kill();
      elect(second);
      await log.append(stream, 0, [rawEvent(stream, 1)]);
    },
  );
  expect(seen.map(({ revision }) => revision)).toEqual([0, 1]);
});

test('a cluster that gives no answer is unavailable', async () => {
  const { first, second } = await cluster();
  for (const server of [first, second])
    server.faults.always('gossip', { kind: 'reject', error: rejections.unavailable });
  const log = open(`esdb+discover://localhost:${first.port}?tls=false`, { request: 500, page: 500 });
  await expect(log.warmUp()).rejects.toThrow(EventStoreUnavailableError);
  for (const server of [first, second]) server.faults.calm();
  await open(`esdb+discover://localhost:${first.port}?tls=false`).warmUp();
});

async function three() {
  const members = await startCluster();
  closing.push(() => members.close());
  return members;
}

test('of two that say they lead, the one that the others follow is taken, by any name of a seed', async () => {
  const { nodes, url, log: appended } = await three();
  const [, second, third] = nodes;
  second.leader = third.leader = second;
  for (const seeds of [url(), url().replaceAll('127.0.0.1', 'localhost')]) {
    const stream = newJobStream();
    await open(seeds).append(stream, 'no-stream', [rawEvent(stream, 0)]);
    expect(appended.stream(stream)).toHaveLength(1);
  }
  expect(second.server.faults.count('append')).toBe(2);
  expect(nodes[0].unreplicated).toBe(0);
});

test('a leader is found while a seed hangs, and through a seed that does not lead', async () => {
  const { nodes, url, freeze } = await three();
  const [first, second, third] = nodes;
  freeze(third);
  for (const seeds of [[third, second], [second], [first]]) {
    const stream = newJobStream();
    const seeded = url(seeds).replace('esdb:', 'esdb+discover:');
    expect((await open(seeded).append(stream, 'no-stream', [rawEvent(stream, 0)])).revision).toBe(0);
  }
});

test('a cluster is searched for once, however many calls wait for it', async () => {
  const { nodes, url } = await three();
  const log = open(url());
  const streams = Array.from({ length: 30 }, newJobStream);
  await Promise.all(streams.map((stream) => log.append(stream, 'no-stream', [rawEvent(stream, 0)])));
  for (const { server } of nodes) expect(server.faults.count('gossip')).toBeLessThan(10);
});
