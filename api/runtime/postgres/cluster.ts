import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ClusterHome, giveTo } from './cluster-home.ts';

const run = promisify(execFile);
const logLimit = 5 * 1024 * 1024;

/** UTF-8 and byte order whatever the machine's LANG says: initdb would take its locale from there. */
const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];

/** Plans that do not change with the machine, and no address but the loopback. */
const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_permissions=0700',
  'max_connections=200',
  'jit=off',
  'timezone=UTC',
  'log_timezone=UTC',
  // Else its own log holds the rows that it refuses, with what people typed.
  'log_error_verbosity=terse',
];
const disposableSettings = [
  ...['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'max_wal_size=256MB'],
  // Its passwords are random, and its sessions short: each would pay for what slows down guessing.
  'scram_iterations=1',
];

/** What an address of a socket has room for where it has least (macOS), in bytes. */
const longestSocket = 103;

/** The folder that Postgres calls its data directory. */
export const clusterOf = (home: ClusterHome) => join(home.folder, 'cluster');

/** The folder of the server's Unix socket; '' where there can be none, and the loopback address has to do. */
function socketFolderOf(home: ClusterHome): string {
  const hasRoom = Buffer.byteLength(join(home.folder, '.s.PGSQL.65535')) <= longestSocket;
  // A comma and a quote would be read as the syntax of the setting.
  return process.platform !== 'win32' && hasRoom && !/[",]/.test(home.folder) ? home.folder : '';
}

export const passwordOf = (home: ClusterHome) => readFileSync(join(home.folder, 'password'), 'utf8').trim();

/** Makes the cluster on the first run, beside its place and then moved there whole, so that no process meets half of one. */
export async function ensureCluster(home: ClusterHome, disposable: boolean): Promise<void> {
  if (existsSync(home.folder)) return;
  const half = `${home.folder}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
  const password = join(half, 'password');
  mkdirSync(half, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(password, randomBytes(24).toString('hex'), { mode: 0o600 });
    giveTo(home.account, half);
    giveTo(home.account, password);
    const flags = [`--pgdata=${join(half, 'cluster')}`, '--username=ute', `--pwfile=${password}`];
    const args = [...flags, '--auth=scram-sha-256', ...locale, ...(disposable ? ['--no-sync'] : [])];
    await run(home.binaries.initdb, args, { ...home.account, cwd: '/', env: environment() });
    renameSync(half, home.folder);
  } catch (error) {
    if (!existsSync(home.folder)) throw new Error(`Postgres could not make its files: ${reasonOf(error)}`);
  } finally {
    rmSync(half, { recursive: true, force: true });
  }
}

/** Starts a server that outlives a kill of ours; resolves with how it ended. */
export function spawnServer(
  home: ClusterHome,
  port: number,
  disposable: boolean,
): { pid: number; ended: Promise<unknown> } {
  const log = openLog(home);
  const sockets = `unix_socket_directories=${socketFolderOf(home)}`;
  // Its number may be another program's now, for whose sake Postgres would not start.
  rmSync(join(home.folder, `.s.PGSQL.${port}.lock`), { force: true });
  const flags = [sockets, ...settings, ...(disposable ? disposableSettings : [])].flatMap((setting) => [
    '-c',
    setting,
  ]);
  const server = spawn(home.binaries.postgres, ['-D', clusterOf(home), '-p', String(port), ...flags], {
    ...home.account,
    cwd: '/',
    env: environment(),
    detached: true,
    stdio: ['ignore', log, log],
  });
  const ended = once(server, 'exit').catch(() => {});
  server.unref();
  closeSync(log);
  return { pid: server.pid ?? -1, ended };
}

/** Ends every session and waits until the server is gone. */
export async function stopServer(home: ClusterHome): Promise<void> {
  const args = ['stop', '-D', clusterOf(home), '-m', 'fast', '-w', '-t', '60'];
  await run(home.binaries.pgCtl, args, { ...home.account, cwd: '/', env: environment() }).catch((error) => {
    if (existsSync(join(clusterOf(home), 'postmaster.pid')))
      throw new Error(`Postgres did not stop: ${reasonOf(error)}`);
  });
}

/** The last thing that the server complained about. */
export function lastComplaint(home: ClusterHome): string {
  const lines = readFileSync(logOf(home), 'utf8').split('\n');
  const complaint = lines.findLast((line) => /FATAL|PANIC|error/.test(line));
  return complaint?.replace(/^.*?(FATAL|PANIC):\s*/, '') ?? 'it gave no reason';
}

const logOf = (home: ClusterHome) => join(home.folder, 'log');

function openLog(home: ClusterHome): number {
  const grown = existsSync(logOf(home)) && statSync(logOf(home)).size > logLimit;
  return openSync(logOf(home), grown ? 'w' : 'a', 0o600);
}

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
}

function reasonOf(error: unknown): string {
  const { stderr = '', message } = error as { stderr?: string; message: string };
  return stderr.trim().split('\n').at(-1) || message;
}
