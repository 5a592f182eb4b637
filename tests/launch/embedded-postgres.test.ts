import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { binariesIn, findClusterHome, findPostgresBinaries } from '#api/runtime/postgres/cluster-home.ts';
import { readPostmaster, startEmbeddedPostgres } from '#api/runtime/postgres/embedded-postgres.ts';
import { newSession } from '#core/postgres/session.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';

const isRoot = process.getuid?.() === 0;
let made: ReturnType<typeof tempFolder>;
let folder: ReturnType<typeof tempFolder>;
let cluster: string;
const cleanup: (() => unknown)[] = [];

beforeAll(async () => {
  made = tempFolder('made');
  const { stop } = await startEmbeddedPostgres({ dataDir: made.path, disposable: true });
  await stop();
});
afterAll(() => made.remove());

/** Each test gets a copy of one stopped cluster, owners included: making one takes most of a first start. */
beforeEach(() => {
  folder = tempFolder('cluster');
  cluster = join(folder.path, 'postgres', 'cluster');
  execFileSync('cp', ['-a', join(made.path, 'postgres'), folder.path]);
});
afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo();
  folder.remove();
});

const start = async (dataDir = folder.path) => {
  const server = await startEmbeddedPostgres({ dataDir, disposable: true });
  cleanup.push(server.stop);
  return server;
};

/** Another process of Ute on the same folder: `end` lets it stop cleanly, `leave` makes it exit at once, `kill` is kill -9. */
const startElsewhere = async (env: Record<string, string> = {}) => {
  const script = new URL('./hold-postgres.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, folder.path], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = await once(child.stdout, 'data');
  const end = async () => {
    child.stdin.end();
    await ended;
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  const leave = async () => {
    child.stdin.write('leave\n');
    await ended;
  };
  return { url: String(line).trim(), end, kill, leave };
};

const ask = async (url: string, sql: string) => {
  const client = newSession(url, 'test');
  try {
    await client.connect();
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
};
const portOf = (url: string) => Number(new URL(url).port);

test('what was written is there at the next start, on the same port', async () => {
  const first = await start();
  await ask(first.adminUrl, 'create table kept as select 1 as n');
  await first.stop();
  expect(existsSync(join(cluster, 'postmaster.pid'))).toBe(false);
  const second = await start();
  expect(await ask(second.adminUrl, 'select n from kept')).toBe(1);
  expect(portOf(second.url)).toBe(portOf(first.url));
});

test.each(['C', 'POSIX', 'de_DE.ISO-8859-1'])('the database is UTF-8 under LANG=%s', async (locale) => {
  rmSync(join(folder.path, 'postgres'), { recursive: true });
  const other = await startElsewhere({ LANG: locale, LC_ALL: locale });
  cleanup.push(other.end);
  expect(await ask(other.url, 'show server_encoding')).toBe('UTF8');
  expect(await ask(other.url, `select upper('whānau 🛻')`)).toBe('WHĀNAU 🛻');
});

test('the password keeps others out', async () => {
  const { url } = await start();
  await expect(ask(url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(
    'password authentication failed',
  );
  expect(statSync(join(folder.path, 'postgres', 'password')).mode & 0o077).toBe(0);
});

test('a server that a killed parent left behind is joined, and stopped in the end', async () => {
  const other = await startElsewhere();
  const before = await readPostmaster(cluster);
  await other.kill();
  const server = await start();
  expect((await readPostmaster(cluster))?.pid).toBe(before?.pid);
  expect(await ask(server.url, 'select 1')).toBe(1);
  await server.stop();
  expect(existsSync(join(cluster, 'postmaster.pid'))).toBe(false);
});

test('a process that exits without stopping leaves nothing behind', async () => {
  const other = await startElsewhere();
  await other.leave();
  await expect.poll(() => existsSync(join(cluster, 'postmaster.pid')), { timeout: 20_000 }).toBe(false);
});

test('a process that exits without stopping does not take the server from others', async () => {
  const other = await startElsewhere();
  const { url } = await start();
  await other.leave();
  const third = await startElsewhere();
  await third.end();
  expect(await ask(url, 'select 1')).toBe(1);
});

test('a server that was killed with its parent is recovered', async () => {
  const other = await startElsewhere();
  await ask(other.url, 'create table kept as select 1 as n');
  process.kill((await readPostmaster(cluster))?.pid ?? 0, 'SIGKILL');
  await other.kill();
  const server = await start();
  expect(await ask(server.adminUrl, 'select n from kept')).toBe(1);
});

test('a session that outlives its killed server is waited for', async () => {
  const other = await startElsewhere();
  const session = newSession(other.url, 'test');
  session.on('error', () => {});
  await session.connect();
  // It computes without looking up, so that it holds the server's memory for a second or two.
  const busy = session
    .query('select count(*) from generate_series(1, 5000) a, generate_series(1, 5000) b')
    .catch(() => {});
  await expect
    .poll(() =>
      ask(
        other.url,
        "select 1 from pg_stat_activity where query like '%generate_series(1, 5000) b' and state = 'active'",
      ),
    )
    .toBe(1);
  process.kill((await readPostmaster(cluster))?.pid ?? 0, 'SIGKILL');
  await other.kill();
  expect(await ask((await start()).url, 'select 1')).toBe(1);
  await busy;
});

test('two processes share the server, and the last one stops it', async () => {
  const [mine, other] = await Promise.all([start(), startElsewhere()]);
  expect(portOf(other.url)).toBe(portOf(mine.url));
  await mine.stop();
  expect(await ask(other.url, 'select 1')).toBe(1);
  await other.end();
  expect(existsSync(join(cluster, 'postmaster.pid'))).toBe(false);
});

test('a pid file whose number another program got does not block the start', async () => {
  const { stop } = await start();
  await stop();
  const stale = [process.pid, cluster, '1700000000', '1', '', '127.0.0.1', '', 'ready'].join('\n');
  writeFileSync(join(cluster, 'postmaster.pid'), `${stale}\n`);
  expect(await ask((await start()).url, 'select 1')).toBe(1);
});

const socketOf = (url: string) => new URL(url).searchParams.get('host');

test('its sessions come through a socket, and the port answers as well', async () => {
  const { url } = await start();
  expect(socketOf(url)).toBe(join(folder.path, 'postgres'));
  expect(await ask(url, 'select inet_client_addr()')).toBeNull();
  const byPort = new URL(url);
  byPort.searchParams.delete('host');
  expect(await ask(byPort.href, 'select host(inet_client_addr())')).toBe('127.0.0.1');
});

test('the lock of a socket whose number another program got does not block the start', async () => {
  const first = await start();
  await first.stop();
  const lock = join(folder.path, 'postgres', `.s.PGSQL.${portOf(first.url)}.lock`);
  writeFileSync(lock, `1\n${cluster}\n1700000000\n`);
  expect(await ask((await start()).url, 'select inet_client_addr()')).toBeNull();
});

test('below a path that is too long for a socket the port has to do', async () => {
  const deep = join(folder.path, 'd'.repeat(80));
  const { url } = await start(deep);
  expect(socketOf(url)).toBeNull();
  expect(await ask(url, 'select host(inet_client_addr())')).toBe('127.0.0.1');
});

test('a port that was taken meanwhile is given up for another', async () => {
  const first = await start();
  await first.stop();
  const squatter = createServer().listen(portOf(first.url), '127.0.0.1');
  await once(squatter, 'listening');
  cleanup.push(() => squatter.close());
  const second = await start();
  expect(portOf(second.url)).not.toBe(portOf(first.url));
});

test('files that Postgres cannot read are one clear line', async () => {
  const { stop } = await start();
  await stop();
  writeFileSync(join(cluster, 'PG_VERSION'), '9.6\n');
  await expect(start()).rejects.toThrow(
    /^Postgres does not start: database files are incompatible with server$/,
  );
});

describe.runIf(isRoot)('as root', () => {
  test('Postgres runs as another user', async () => {
    await start();
    const { pid } = (await readPostmaster(cluster)) ?? { pid: 0 };
    expect(statSync(`/proc/${pid}`).uid).not.toBe(0);
  });

  test('below a folder that this user cannot enter, programs and data go to a shelter', async () => {
    const checkout = join(folder.path, 'private', 'ute');
    mkdirSync(checkout, { recursive: true });
    chmodSync(join(folder.path, 'private'), 0o700);
    const hash = createHash('sha256').update(join(checkout, 'postgres')).digest('hex').slice(0, 16);
    const shelter = join('/var/lib/ute', hash);
    cleanup.push(() => rmSync(shelter, { recursive: true, force: true }));

    const first = await start(checkout);
    await ask(first.adminUrl, 'create table kept as select 1 as n');
    expect(await ask(first.adminUrl, 'show data_directory')).toBe(join(shelter, 'postgres', 'cluster'));
    await first.stop();
    const second = await start(checkout);
    expect(await ask(second.adminUrl, 'select n from kept')).toBe(1);
  });

  test('programs that this user cannot reach are copied to where it can', () => {
    const { root, version } = findPostgresBinaries();
    const hidden = join(folder.path, 'private', 'native');
    cpSync(root, hidden, { recursive: true, verbatimSymlinks: true });
    chmodSync(join(folder.path, 'private'), 0o700);
    const home = findClusterHome(folder.path, binariesIn(hidden, version));
    cleanup.push(() => rmSync(dirname(home.binaries.root), { recursive: true, force: true }));
    expect(home.folder).toBe(join(folder.path, 'postgres'));
    expect(home.binaries.root).toMatch(/^\/var\/lib\/ute\/[0-9a-f]{16}\/programs-/);
    const asThatUser = { ...home.account, cwd: '/', encoding: 'utf8' } as const;
    expect(spawnSync(home.binaries.postgres, ['--version'], asThatUser).stdout).toContain('PostgreSQL');
  });
});
