import { execFileSync } from 'node:child_process';
import { clusterOf } from '#api/runtime/postgres/cluster.ts';
import { findClusterHome, findPostgresBinaries } from '#api/runtime/postgres/cluster-home.ts';
import {
  type EmbeddedPostgres,
  isRunning,
  readPostmaster,
  startEmbeddedPostgres,
} from '#api/runtime/postgres/embedded-postgres.ts';
import { tempFolder } from '#tests/support/run/temp-folder.ts';

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/** A Postgres that a test may stop and start again, on the same port with the same data. */
export type OwnPostgres = Readonly<{
  /** Its addresses as a process of Ute is given them. */
  environment: Readonly<{ DATABASE_URL: string; MIGRATION_DATABASE_URL: string }>;
  url: string;
  /** `immediate` is a crash: the next start recovers. Resolves once the server is gone. */
  stop(how: keyof typeof signals): Promise<void>;
  start(): Promise<void>;
  /** Holds every process of the server where it is, as a machine does that hangs; `thaw` lets them go on. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  close(): Promise<void>;
}>;

export async function ownPostgres(): Promise<OwnPostgres> {
  const folder = tempFolder('postgres');
  const cluster = clusterOf(findClusterHome(folder.path, findPostgresBinaries()));
  let server: EmbeddedPostgres | undefined = await startEmbeddedPostgres({ dataDir: folder.path });
  const { url, ownerUrl } = server;
  const leases = [server];
  async function running() {
    const postmaster = await readPostmaster(cluster);
    if (!postmaster) throw new Error('Postgres does not run');
    return postmaster;
  }

  async function signalAll(signal: NodeJS.Signals): Promise<void> {
    const { pid } = await running();
    // First the one that begins others: then those there are can only become fewer.
    process.kill(pid, signal);
    for (const one of childrenOf(pid)) signalUnlessGone(one, signal);
  }

  return {
    environment: { DATABASE_URL: url, MIGRATION_DATABASE_URL: ownerUrl },
    url,
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    async stop(how) {
      const postmaster = await running();
      process.kill(postmaster.pid, signals[how]);
      while (isRunning(postmaster, cluster)) await Bun.sleep(10);
      server = undefined;
    },
    async start() {
      server = await startEmbeddedPostgres({ dataDir: folder.path });
      leases.push(server);
      if (server.url !== url) throw new Error('Postgres came back on another port');
    },
    async close() {
      for (const lease of leases) await lease.stop();
      folder.remove();
    },
  };
}

function signalUnlessGone(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function childrenOf(parent: number): number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const ids = processes.map((line) => line.trim().split(/\s+/).map(Number));
  return ids.flatMap(([pid, ppid]) => (pid !== undefined && ppid === parent ? [pid] : []));
}
