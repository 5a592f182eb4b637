import type { Logger } from 'pino';
import { startEmbeddedPostgres } from './postgres/embedded-postgres.ts';
import type { Logins } from './postgres/logins.ts';

export type ManagedPostgres = Logins &
  Readonly<{
    /** Starts the server again if it has ended, else waits for it to be ready. One call at a time does it for all. */
    revive(): Promise<void>;
    stop(): Promise<void>;
  }>;

/** Starts Postgres in the data folder, for as long as the process lives. */
export async function managePostgres(dataDir: string, logger: Logger): Promise<ManagedPostgres> {
  const first = await startEmbeddedPostgres({ dataDir });
  const leases = [first];
  let reviving: Promise<void> | undefined;

  async function startAgain(): Promise<void> {
    try {
      const again = await startEmbeddedPostgres({ dataDir });
      leases.push(again);
      const event = again.url === first.url ? 'database-restarted' : 'database-moved-restart-me';
      logger.warn({ event });
    } catch {
      logger.error({ event: 'database-cannot-restart' });
    }
  }

  return {
    url: first.url,
    ownerUrl: first.ownerUrl,
    revive() {
      reviving ??= startAgain().finally(() => {
        reviving = undefined;
      });
      return reviving;
    },
    async stop() {
      await reviving;
      // The newest lease is the one that counts: as long as it holds, the older ones end nothing.
      for (const lease of leases) await lease.stop();
    },
  };
}
