import { randomBytes } from 'node:crypto';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { testDatabase } from '#tests/support/app/database.ts';
import { eventStoreContract } from './contract.ts';

eventStoreContract('embedded', async () => {
  const { pool, url, close } = await testDatabase();
  const store = createEmbeddedEventStore({ pool, connectionString: url, dataKey: randomBytes(32) });
  return {
    store,
    async cutConnections() {
      await pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
      );
    },
    async close() {
      await store.close();
      await close();
    },
  };
});
