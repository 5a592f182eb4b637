import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Running, startUte } from '#api/main.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { createServerLog, type ServerLog } from '#tests/support/servers/eventstoredb/server-log.ts';
import { type StandIn, startStandIn } from '#tests/support/servers/eventstoredb/stand-in.ts';

/** Five times the ten seconds that are promised. */
const WELL = 50_000;

const folder = tempFolder('wrong-log');
const running: Running[] = [];
const servers: StandIn[] = [];
let database: TestDatabase;
let own: StandIn;

beforeAll(async () => {
  database = await testDatabase();
  own = await serve();
  const first = await start();
  for (let n = 0; n < 3; n++) append(own.log, n);
  await vi.waitFor(async () => expect((await readPositions()).at(-1)).toBe(lastOf(own.log)), {
    timeout: WELL,
  });
  await first.stop();
  // Their author notes the log with its first event; these were put there by the test.
  await (await start()).stop();
}, 180_000);
afterEach(async () => {
  for (const ute of running.splice(0)) await ute.stop();
});
afterAll(async () => {
  for (const server of servers) server.kill();
  await database?.close();
  folder.remove();
});

async function serve(options: Parameters<typeof startStandIn>[0] = {}): Promise<StandIn> {
  const server = await startStandIn(options);
  servers.push(server);
  return server;
}

/** A worker needs no pages. `server` null: the log in the database. */
async function start(server: StandIn | null = own, role = 'worker'): Promise<Running> {
  const ute = await startUte({
    ...{ NODE_ENV: 'test', LOG_LEVEL: 'silent', PORT: '0', ROLE: role },
    ...{ DATABASE_URL: database.url, DATA_DIR: folder.path },
    ...(server ? { EVENTSTORE_URL: `esdb://${server.host}:${server.port}?tls=false` } : {}),
  });
  running.push(ute);
  return ute;
}

/** An event that no release knows: it is parked, and passed. */
function append(log: ServerLog, n: number): void {
  const metadata = {
    schema: 1,
    at: '2026-11-16T21:30:00.000Z',
    hash: '',
    actor: 'system',
    causation: '',
    correlation: '',
  };
  const event = { id: crypto.randomUUID(), type: 'KettleBoiled', contentType: 'application/json' };
  const [data, meta] = [Buffer.from('{}'), Buffer.from(JSON.stringify(metadata))];
  log.append(`job-${n}`, 'no-stream', [{ ...event, data, metadata: meta }]);
}

function copyOf({ all }: ServerLog, events: number): ServerLog {
  const copy = createServerLog();
  const ours = all.filter(({ stream }) => !stream.startsWith('$'));
  for (const event of ours.slice(0, events)) copy.append(event.stream, 'any', [event]);
  return copy;
}

const lastOf = ({ all }: ServerLog) =>
  String(all.findLast(({ stream }) => stream.startsWith('job-'))?.position);

const readPositions = async () =>
  (await database.pool.query('select position::text from state.process_positions')).rows.map(({ position }) =>
    String(position),
  );

const everything = async () =>
  (
    await database.pool.query(
      `select (select json_agg(c order by projection) from read.checkpoints c) as checkpoints,
         (select json_agg(p order by process) from state.process_positions p) as processes,
         (select count(*)::int from event_store.events) as events`,
    )
  ).rows;

const readiness = async ({ url }: Running) => (await fetch(`${url}/api/health/ready`)).status;

test.each(['all', 'api', 'worker'])(
  'started without EVENTSTORE_URL, the role %s refuses and changes nothing',
  async (role) => {
    const before = await everything();
    await expect(start(null, role)).rejects.toThrow(
      /^This is another log: .* on EventStoreDB .* in the database \(embedded\) and is empty/,
    );
    expect(await everything()).toEqual(before);
  },
);

test('started on a copy that ends earlier, it refuses and names the command that accepts it', async () => {
  const before = await everything();
  const restored = await serve({ log: copyOf(own.log, 1) });
  await expect(start(restored)).rejects.toThrow(/run: bun run ute log accept-restored$/);
  expect(await everything()).toEqual(before);
});

test('started while its log is unavailable, it waits; another log that answers then is refused, its own is followed', async () => {
  own.kill();
  const ute = await start();
  expect(ute.isReady).toBe(false);
  const other = createServerLog();
  append(other, 7);
  const stranger = await serve({ log: other, port: own.port });
  const before = await everything();
  await vi.waitFor(() => expect(stranger.faults.count('read')).toBeGreaterThan(4), { timeout: WELL });
  expect(await readiness(ute)).toBe(503);
  expect(await everything()).toEqual(before);

  stranger.kill();
  await own.restart();
  await vi.waitFor(async () => expect(await readiness(ute)).toBe(200), { timeout: WELL });
  append(own.log, 8);
  await vi.waitFor(async () => expect(new Set(await readPositions())).toEqual(new Set([lastOf(own.log)])), {
    timeout: WELL,
  });
}, 200_000);
