import { clusterOf } from '#api/providers/database/cluster.ts';
import { findClusterHome } from '#api/providers/database/cluster-home.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#api/providers/database/embedded-postgres.ts';
import { findPostgresBinaries } from '#api/providers/database/postgres-binaries.ts';
import { isRunning, readPostmaster } from '#api/providers/database/postmaster.ts';
import { tempFolder } from './temp-folder.ts';

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/** A Postgres that a test may stop and start again, on the same port with the same data. */
export type OwnPostgres = Readonly<{
  url: string;
  /** `immediate` is a crash: the next start recovers. Resolves once the server is gone. */
  stop(how: keyof typeof signals): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}>;

export async function ownPostgres(): Promise<OwnPostgres> {
  const folder = tempFolder('postgres');
  const cluster = clusterOf(findClusterHome(folder.path, findPostgresBinaries()));
  let server: EmbeddedPostgres | undefined = await startEmbeddedPostgres({ dataDir: folder.path });
  const { url } = server;
  const leases = [server];
  return {
    url,
    async stop(how) {
      const postmaster = await readPostmaster(cluster);
      if (!postmaster) throw new Error('Postgres does not run');
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
