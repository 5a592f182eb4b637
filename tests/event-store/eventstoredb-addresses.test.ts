import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { runChecks } from '#api/cli/doctor/finding.ts';
import { checkReadiness } from '#api/http/health/readiness.ts';
import { createBreaker } from '#api/runtime/breaker.ts';
import { guardStore } from '#api/runtime/event-log.ts';
import { startOrRetry } from '#api/runtime/start-or-retry.ts';
import { EventStoreUnavailableError } from '#core/event-store/errors.ts';
import { openEventStoreDbLog } from '#core/event-store/eventstoredb/event-store.ts';
import { rawEvent } from '#tests/support/servers/eventstoredb/stages.ts';
import {
  type Member,
  type StandInOptions,
  startStandIn,
} from '#tests/support/servers/eventstoredb/stand-in.ts';
import { newJobStream } from './samples.ts';

const certificate = (name: string) =>
  new URL(`../support/servers/eventstoredb/certificates/${name}`, import.meta.url).pathname;
const pair = (name: string) => ({
  certificate: readFileSync(certificate(`${name}.crt`)),
  key: readFileSync(certificate(`${name}.key`)),
});
const waits = { request: 3_000, page: 3_000 };
const closing: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function start(options: StandInOptions = {}) {
  const server = await startStandIn({ tls: pair('node'), users: { ute: 'secret' }, ...options });
  closing.push(() => server.kill());
  return server;
}

function open(hosts: string, authority = 'ca.crt', { scheme = 'esdb', timeouts = waits } = {}) {
  const url = `${scheme}://ute:secret@${hosts}?tls=true&tlsCAFile=${certificate(authority)}`;
  const log = openEventStoreDbLog({ url, timeouts });
  closing.push(() => log.close());
  return log;
}

/** What a call on it ends with. */
async function refusal(log: ReturnType<typeof open>): Promise<EventStoreUnavailableError> {
  const error = await log.warmUp().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(EventStoreUnavailableError);
  expect(String(error)).not.toContain('secret');
  return error as EventStoreUnavailableError;
}

test.each(['esdb', 'esdb+discover'])(
  'a server that is named by its address is reached by %s',
  async (scheme) => {
    const members: Member[] = [];
    const server = await start({ members: () => members });
    members.push({ host: '127.0.0.1', port: server.port, leads: true });
    const log = open(`127.0.0.1:${server.port}`, 'ca.crt', { scheme });
    const stream = newJobStream();
    await log.append(stream, 'no-stream', [rawEvent(stream, 0)]);
    expect(await log.readStream(stream, 0)).toHaveLength(1);
  },
);

test('members that tell each other their addresses are followed from a name', async () => {
  const members: Member[] = [];
  const [first, second] = [await start({ members: () => members }), await start({ members: () => members })];
  members.push({ host: '127.0.0.1', port: first.port, leads: false });
  members.push({ host: '127.0.0.1', port: second.port, leads: true });
  const log = open(`localhost:${first.port}`, 'ca.crt', { scheme: 'esdb+discover' });
  const stream = newJobStream();
  await log.append(stream, 'no-stream', [rawEvent(stream, 0)]);
  expect(second.faults.count('append')).toBe(1);
});

/** A container may have no IPv6 at all: the tests of it are skipped there, and say so by their names. */
const ipv6 = Object.values(networkInterfaces()).some((found) =>
  found?.some(({ address }) => address === '::1'),
);
const withoutIpv6 = ipv6 ? '' : ' (NOT TRIED: this machine has no ::1)';
const six = { tls: pair('ipv6'), listens: '[::1]' } as const;

describe.skipIf(!ipv6)(`a server with an IPv6 address${withoutIpv6}`, () => {
  test.each([
    ['esdb', '[::1]'],
    ['esdb', '[0:0:0:0:0:0:0:1]'],
    ['esdb+discover', '[::1]'],
    ['esdb+discover', '[0:0:0:0:0:0:0:1]'],
  ])('is reached by %s at %s', async (scheme, host) => {
    const members: Member[] = [];
    const server = await start({ ...six, members: () => members });
    members.push({ host: '::1', port: server.port, leads: true });
    const log = open(`${host}:${server.port}`, 'ipv6.crt', { scheme });
    const stream = newJobStream();
    await log.append(stream, 'no-stream', [rawEvent(stream, 0)]);
    expect(await log.readStream(stream, 0)).toHaveLength(1);
  });

  test.each(['::1', '[::1]'])('is followed where it tells of itself as %s', async (host) => {
    const members: Member[] = [];
    const [first, second] = [
      await start({ ...six, members: () => members }),
      await start({ ...six, members: () => members }),
    ];
    members.push({ host, port: first.port, leads: false }, { host, port: second.port, leads: true });
    const log = open(`[::1]:${first.port}`, 'ipv6.crt', { scheme: 'esdb+discover' });
    const stream = newJobStream();
    await log.append(stream, 'no-stream', [rawEvent(stream, 0)]);
    expect(second.faults.count('append')).toBe(1);
  });

  test.each(['esdb', 'esdb+discover'])(
    'is refused by %s for a certificate of another address',
    async (scheme) => {
      const server = await start({ ...six, tls: pair('elsewhere') });
      const timeouts = { request: 1_000, page: 1_000 };
      const error = await refusal(open(`[::1]:${server.port}`, 'elsewhere.crt', { scheme, timeouts }));
      expect(error.code).toBe('certificate-of-another-host');
      expect(error.message).toContain(`[::1]:${server.port}`);
      expect(server.faults.count('read')).toBe(0);
    },
  );
});

test.each([
  ['a certificate of another authority', 'node', 'other-ca.crt', 'certificate-not-trusted'],
  ['a certificate for another address', 'elsewhere', 'elsewhere.crt', 'certificate-of-another-host'],
] as const)('%s is refused, and named', async (_, name, authority, code) => {
  const server = await start({
    tls: pair(name),
    members: () => [{ host: '127.0.0.1', port: server.port, leads: true }],
  });
  for (const host of ['127.0.0.1', 'localhost'])
    for (const scheme of ['esdb', 'esdb+discover']) {
      const error = await refusal(
        open(`${host}:${server.port}`, authority, { scheme, timeouts: { request: 1_000, page: 1_000 } }),
      );
      expect([host, scheme, error.code]).toEqual([host, scheme, code]);
      expect(error.message).toContain(`${host}:${server.port}`);
    }
  expect(server.faults.count('read')).toBe(0);
});

test('a server that refuses, has no name, or speaks without TLS is told apart', async () => {
  const plain = await startStandIn();
  closing.push(() => plain.kill());
  const gone = await start();
  gone.kill();
  const short = { timeouts: { request: 1_000, page: 1_000 } };
  expect((await refusal(open(`127.0.0.1:${gone.port}`))).code).toBe('connection-refused');
  expect((await refusal(open('no-such-host.invalid:2113', 'ca.crt', short))).code).toBe('name-not-found');
  expect((await refusal(open(`127.0.0.1:${plain.port}`, 'ca.crt', short))).code).toBe('no-tls');
  const wrong = await start({ users: { ute: 'another' } });
  expect((await refusal(open(`127.0.0.1:${wrong.port}`))).code).toBe('credentials-refused');
});

test('a server that says nothing is a timeout', async () => {
  const server = await start();
  server.faults.always('read', { kind: 'silence' });
  const error = await refusal(
    open(`127.0.0.1:${server.port}`, 'ca.crt', { timeouts: { request: 300, page: 300 } }),
  );
  expect(error.code).toBe('no-answer');
});

test('log, start, doctor and readiness say which server is not reached, and why', async () => {
  const server = await start();
  server.kill();
  const log = open(`127.0.0.1:${server.port}`);
  const lines: unknown[] = [];
  const note = (line: unknown) => void lines.push(line);
  const logger = { info: note, warn: note, error: note } as never;
  const breaker = createBreaker({ name: 'event-store', probe: () => log.head(), logger });
  closing.push(() => breaker.stop());
  await breaker.check();
  const store = guardStore(log as never, breaker);
  const stopped = new AbortController();
  const { settled } = await startOrRetry(() => store.head(), { signal: stopped.signal, logger });
  const why = `127.0.0.1:${server.port} refuses the connection: see that the server runs and listens on this port`;
  expect(lines).toEqual([{ event: 'waiting-to-start', reason: why }]);
  const [found] = await runChecks([
    { name: 'event store', look: async () => ['ok', String(await log.head())] },
  ]);
  expect(found).toEqual({ check: 'event store', state: 'wrong', line: why });
  const without = { query: () => Promise.reject(new Error('no database here')) };
  const deps = {
    store,
    db: without,
    now: () => new Date(),
    config: {},
    readSide: { status: async () => [] },
  };
  const { checks, reasons } = await checkReadiness(deps as never);
  expect(checks.eventStore).toBe('down');
  expect(reasons).toContainEqual({ name: 'event-store', reason: 'connection-refused' });

  await server.restart();
  await breaker.check();
  server.kill();
  await vi.waitFor(async () => {
    await breaker.check();
    expect(lines).toContainEqual({
      event: 'outage-began',
      of: 'event-store',
      reason: expect.stringContaining(`127.0.0.1:${server.port} `),
    });
  });
  stopped.abort();
  await settled;
}, 30_000);
