import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { link, readFile, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { freePort } from '#api/runtime/listen.ts';
import { clusterOf, ensureCluster, lastComplaint, passwordOf, spawnServer, stopServer } from './cluster.ts';
import { type ClusterHome, findClusterHome, findPostgresBinaries } from './cluster-home.ts';
import { ensureLogins, type Logins } from './logins.ts';
import { leaseServer, type ServerLease, wrongCluster } from './server-lease.ts';

const pollMs = 15;
const heldPollMs = 250;
const HOST = '127.0.0.1';

/** The database `ute`, through a socket that other accounts cannot reach, else on the loopback address alone (decision 111). */
export type EmbeddedPostgres = Logins &
  Readonly<{
    /** The same database by the server's administrator: for tests, which make databases and roles of their own. */
    adminUrl: string;
    /** Stops the server, unless another process still uses it. */
    stop(): Promise<void>;
  }>;

export type EmbeddedPostgresOptions = Readonly<{
  /** A folder of ours, made when absent; the cluster goes to `postgres` in it. */
  dataDir: string;
  /** For data that may be lost: no fsync. */
  disposable?: boolean;
  /** How long a server may take to recover and answer, in milliseconds. */
  timeoutMs?: number;
}>;

/**
 * Starts Postgres on the cluster in `dataDir`, making it on the first run, or joins the server that already runs there:
 * one that a killed parent left behind, or one that another process of Ute uses just now.
 * @throws Error with one line for the operator
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const home = findClusterHome(options.dataDir, findPostgresBinaries());
  await ensureCluster(home, options.disposable ?? false);
  const lease = await startOrJoin(home, options);
  const { adminUrl } = lease;
  const logins = await ensureLogins(adminUrl, home.folder).catch(async (error: Error) => {
    if (await lease.release()) await stopServer(home);
    throw new Error(`Postgres could not make its logins: ${error.message}`, { cause: error });
  });
  const callOff = leaveJanitor(options.dataDir);
  const stop = async () => {
    if (await lease.release()) await stopServer(home);
    callOff();
  };
  return { ...logins, adminUrl, stop };
}

async function startOrJoin(home: ClusterHome, options: EmbeddedPostgresOptions): Promise<ServerLease> {
  const { disposable = false, timeoutMs = 60_000 } = options;
  const cluster = clusterOf(home);
  const deadline = Date.now() + timeoutMs;
  for (let failures = 0; failures < 3; ) {
    if (Date.now() > deadline) throw new Error('Postgres is not ready in time.');
    const running = await readPostmaster(cluster);
    if (running && isRunning(running, cluster)) {
      const lease = running.ready && (await tryLease(home, running));
      if (lease) return lease;
      await Bun.sleep(pollMs);
    } else {
      if (running) await discardStalePidFile(cluster, running);
      const ready = await spawnUntilReady(home, disposable, deadline);
      // The sessions of a killed server hold its memory until they look up: no failure of this start.
      if (!ready && isHeldBySessions(home)) await Bun.sleep(heldPollMs);
      else if (!ready) failures += 1;
    }
  }
  throw new Error(`Postgres does not start: ${lastComplaint(home)}`);
}

const isHeldBySessions = (home: ClusterHome) => lastComplaint(home).includes('is still in use');

/** True once the server is ready; false when it ended instead, be it that another process started one first. */
async function spawnUntilReady(home: ClusterHome, disposable: boolean, deadline: number): Promise<boolean> {
  const server = spawnServer(home, await choosePort(home), disposable);
  let ended = false;
  server.ended.then(() => {
    ended = true;
  });
  while (!ended && Date.now() < deadline) {
    const running = await readPostmaster(clusterOf(home));
    if (running?.pid === server.pid && running.ready) return true;
    await Bun.sleep(pollMs);
  }
  return false;
}

/** The lease on a server that answers; null while it is still on its way up or already on its way down. */
async function tryLease(home: ClusterHome, running: Postmaster): Promise<ServerLease | null> {
  try {
    return await leaseServer(clusterOf(home), running, passwordOf(home));
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    if (code.startsWith('28') || code === wrongCluster)
      throw new Error(`Postgres refuses the connection: ${message}`);
    return null;
  }
}

/** The port of last time while it is free, so that tools which know it still find the database. */
async function choosePort(home: ClusterHome): Promise<number> {
  const file = join(home.folder, 'port');
  const last = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  const port = last > 0 && (await isFree(last)) ? last : freePort(HOST);
  writeFileSync(file, String(port));
  return port;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, HOST, () => probe.close(() => resolve(true)));
  });
}

/**
 * Makes sure that this process, should it exit without stopping its server (a second Ctrl-C, a crash), leaves a process
 * behind that does (`janitor.ts`).
 * @returns the way to call it off
 */
function leaveJanitor(dataDir: string): () => void {
  const onExit = () => {
    const script = join(import.meta.dirname, 'janitor.ts');
    const janitor = spawn(process.execPath, [script, dataDir], { detached: true, stdio: 'ignore' });
    janitor.unref();
  };
  process.once('exit', onExit);
  return () => process.off('exit', onExit);
}

/** What `postmaster.pid` says of the server that runs, or ran, on a data directory. */
export type Postmaster = Readonly<{
  pid: number;
  port: number;
  /** The folder of its Unix socket; '' when it has none. */
  socketFolder: string;
  ready: boolean;
  text: string;
}>;

/** Reads `postmaster.pid`; null when there is none or it is still being written. */
export async function readPostmaster(cluster: string): Promise<Postmaster | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!(pid > 0) || !(port > 0)) return null;
  return { pid, port, socketFolder: lines[4] ?? '', ready: lines[7]?.trim() === 'ready', text };
}

/** Whether the process that the pid file names lives and serves this cluster: its number may be another program's now. */
export function isRunning({ pid }: Postmaster, cluster: string): boolean {
  if (!isAlive(pid)) return false;
  const command = commandOf(pid);
  return command === null || command.includes(cluster);
}

/**
 * Puts aside a pid file whose number now belongs to another program, since Postgres refuses to start beside it.
 * Leaves it alone if a new server has written its own meanwhile.
 */
async function discardStalePidFile(cluster: string, stale: Postmaster): Promise<void> {
  if (!isAlive(stale.pid)) return;
  const file = join(cluster, 'postmaster.pid');
  const aside = join(cluster, `postmaster.pid.stale-${process.pid}`);
  await rename(file, aside).catch(() => {});
  const moved = await readFile(aside, 'utf8').catch(() => stale.text);
  if (moved !== stale.text) await link(aside, file).catch(() => {});
  await rm(aside, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function commandOf(pid: number): string | null {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (process.platform === 'win32') return null;
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return null;
  }
}
