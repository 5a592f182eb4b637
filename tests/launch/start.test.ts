import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ensureSite } from '#api/runtime/launch/build.ts';
import { freePort } from '#api/runtime/listen.ts';
import { isRunning, readPostmaster } from '#api/runtime/postgres/embedded-postgres.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { startProduct } from '#tests/support/processes/processes.ts';

let folder: ReturnType<typeof tempFolder>;
let cluster: string;
let discard: (() => void) | undefined;
const cleanup: (() => unknown)[] = [];

beforeAll(() => ensureSite(), 120_000);
afterAll(() => discard?.());
beforeEach(() => {
  folder = tempFolder('start');
  cluster = join(folder.path, 'postgres', 'cluster');
});
afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo();
  folder.remove();
});

const start = async () => {
  const product = await startProduct({ dataDir: folder.path });
  cleanup.push(product.stop);
  return product;
};

/** Runs a command line of `start` to its end, or hands it back while it runs. */
const spawnStart = (command: readonly string[], env: Record<string, string> = {}) => {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    env: { ...process.env, NODE_ENV: 'test', LOG_LEVEL: 'error', DATA_DIR: folder.path, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  cleanup.push(() => child.kill('SIGKILL'));
  return child;
};
const refused = async (args: readonly string[], env: Record<string, string> = {}) => {
  const port = String(freePort('127.0.0.1'));
  const child = spawnStart([process.execPath, 'api/start.ts', ...args], {
    PORT: port,
    ...env,
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, stdout, stderr };
};
const nothingRuns = async () =>
  expect.poll(() => existsSync(join(cluster, 'postmaster.pid')), { timeout: 20_000 }).toBe(false);
const healthOf = async (url: string) => (await fetch(`${url}/api/health/ready`)).status;

/** Starts an installation for the first time, stops it as Ctrl-C does, and answers what was seen of it. */
async function startFirst() {
  const [installation, logs] = [tempFolder('started-once'), tempFolder('start-log')];
  discard = installation.remove;
  const logFile = join(logs.path, 'log');
  const log = openSync(logFile, 'a');
  cleanup.push(logs.remove, () => closeSync(log));
  // No proxy stands before it: one that is trusted all the same is a fault of the installation.
  const env = { LANG: 'C', LC_ALL: 'C', LOG_LEVEL: 'warn', TRUSTED_PROXIES: '1' };
  const product = await startProduct({ dataDir: installation.path, env, log });
  cleanup.push(product.stop);
  const statuses = [await healthOf(product.url), (await fetch(product.publicForm)).status];
  await expect
    .poll(() => readFileSync(logFile, 'utf8'), { timeout: 20_000 })
    .toContain('"event":"doctor","check":"public address","state":"warning"');
  const made = join(installation.path, 'postgres', 'cluster');
  const postmaster = await readPostmaster(made);
  if (!postmaster) throw new Error('no Postgres is running');
  await product.stop();
  return {
    path: installation.path,
    ...{ statuses, exitCode: product.child.exitCode },
    isPostgresRunning: () => isRunning(postmaster, made),
  };
}

let startedFirst: ReturnType<typeof startFirst> | undefined;
function started() {
  startedFirst ??= startFirst();
  return startedFirst;
}

/** What only starts again begins with a copy of that installation, not with making a database. */
async function copyStarted(): Promise<void> {
  const { path, ...stopped } = await started();
  await expect.poll(stopped.isPostgresRunning, { timeout: 20_000 }).toBe(false);
  execFileSync('cp', ['-a', `${path}/.`, folder.path]);
}

test('the build runs by itself, and once', async () => {
  const child = spawnStart([process.execPath, 'api/runtime/launch/build.ts']);
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ code: child.exitCode, stderr }).toEqual({ code: 0, stderr: '' });
});

test('one command brings up the whole product, warns of what is wrong, and Ctrl-C leaves nothing of it', async () => {
  const { statuses, exitCode, isPostgresRunning } = await started();
  expect(statuses).toEqual([200, 200]);
  expect(exitCode).toBe(0);
  await expect.poll(isPostgresRunning, { timeout: 20_000 }).toBe(false);
});

test('with --json there is one line on stdout and nothing else', async () => {
  await copyStarted();
  const child = spawnStart([
    process.execPath,
    'api/start.ts',
    '--json',
    '--port',
    String(freePort('127.0.0.1')),
  ]);
  const [line] = await once(child.stdout, 'data');
  const rest = text(child.stdout);
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect(String(line)).toMatch(/^\{.*\}\n$/);
  expect(JSON.parse(String(line))).toEqual({
    url: expect.stringMatching(/^http:\/\/localhost:\d+$/),
    publicForm: expect.stringMatching(/^http:\/\/localhost:\d+\/t\/[a-z-]+$/),
    demo: { email: expect.stringContaining('@'), password: expect.any(String) },
  });
  expect(await rest).toBe('');
});

test('after kill -9 the next start joins the same Postgres, with the same secrets and demo business', async () => {
  await copyStarted();
  const first = await start();
  const before = await readPostmaster(cluster);
  const secrets = readFileSync(join(folder.path, 'secrets.json'), 'utf8');
  await first.kill();
  const second = await start();
  expect((await readPostmaster(cluster))?.pid).toBe(before?.pid);
  expect(second.demo).toEqual(first.demo);
  expect(readFileSync(join(folder.path, 'secrets.json'), 'utf8')).toBe(secrets);
  await second.stop();
  await nothingRuns();
});

describe('the runner that started it', () => {
  const underRunner = async (command: readonly string[]): Promise<ChildProcess> => {
    await copyStarted();
    const child = spawnStart(command, { PORT: String(freePort('127.0.0.1')) });
    await once(child.stdout, 'data');
    return child;
  };

  test('passes a signal on', async () => {
    const runner = await underRunner([process.execPath, 'run', 'start', '--json']);
    runner.kill('SIGTERM');
    await nothingRuns();
  });

  test('may be killed', async () => {
    const runner = await underRunner([process.execPath, 'run', 'start', '--json']);
    runner.kill('SIGKILL');
    await nothingRuns();
  });

  test('may be npx, whose shell passes nothing on', async () => {
    const shell = `exec -a 'npm exec bun' bash -c '"${process.execPath}" run start --json; true'`;
    const runner = await underRunner(['bash', '-c', shell]);
    runner.kill('SIGTERM');
    await nothingRuns();
  });
});

describe('what cannot work is one clear line', () => {
  const oneLine = (stderr: string) => stderr.trimEnd().split('\n');

  test('an unknown option', async () => {
    const { code, stdout, stderr } = await refused(['--jsno']);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Ute did not start: Unknown option --jsno. See --help.\n',
    });
  });

  test('a busy port, before anything is prepared', async () => {
    const squatter = createServer().listen(0);
    await once(squatter, 'listening');
    cleanup.push(() => squatter.close());
    const { port } = squatter.address() as { port: number };
    const { code, stderr } = await refused(['--port', String(port)]);
    expect(code).toBe(1);
    expect(oneLine(stderr)).toEqual([expect.stringContaining(`Port ${port} is in use`)]);
    // Said at once: not even a database was made.
    expect(existsSync(cluster)).toBe(false);
    await nothingRuns();
  });

  test.each([
    ['none', 'mysql://x'],
    ['not an address', 'postgres://ute@localhost:port/ute'],
    ['where nothing answers', 'postgres://ute@localhost:1/ute'],
  ])('a DATABASE_URL that is %s', async (_, url) => {
    const { code, stderr } = await refused([], { NODE_ENV: 'development', DATABASE_URL: url });
    expect(code).toBe(1);
    expect(oneLine(stderr)).toEqual([expect.stringContaining('DATABASE_URL')]);
  });

  test('a data folder that cannot be written', async () => {
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    const { code, stderr } = await refused([], { DATA_DIR: join(file, 'data') });
    expect(code).toBe(1);
    expect(oneLine(stderr)).toEqual([expect.stringContaining(join(file, 'data'))]);
  });

  test('several variables, with a line for each and no value', async () => {
    const wrong = { TRUSTED_PROXIES: 'marker', ROLE: 'marker' };
    const { code, stderr } = await refused([], wrong);
    expect(code).toBe(1);
    expect(oneLine(stderr)).toEqual([
      expect.stringMatching(/^Ute did not start: Configuration: ROLE must be .*\.$/),
      expect.stringMatching(/^Ute did not start: Configuration: TRUSTED_PROXIES must be .*\.$/),
    ]);
    expect(stderr).not.toContain('marker');
  });

  test('secrets.json that is lost while the database is there', async () => {
    await copyStarted();
    rmSync(join(folder.path, 'secrets.json'));
    const { code, stdout, stderr } = await refused(['--json']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(oneLine(stderr)).toEqual([expect.stringContaining(`restore ${folder.path}/secrets.json`)]);
    await nothingRuns();
  }, 200_000);
});
