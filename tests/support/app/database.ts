import { Pool, type PoolConfig } from 'pg';
import { inject } from 'vitest';
import { forAllBusinesses } from '#api/runtime/database.ts';
import { cloneTemplate, dropDatabase, type Server } from './template-database.ts';

/** A database by its three logins: the application's (`url`; `pool`, which acts for all businesses), its owner's, and the server's administrator. */
export type TestDatabase = Server &
  Readonly<{
    pool: Pool;
    /** For what the application may not do, such as to tamper with the log. */
    admin: Pool;
    /** Closes the pools and drops the database. */
    close(): Promise<void>;
  }>;

/** A migrated, empty database of its own: one per test file, `beforeAll` to `afterAll`. */
export async function testDatabase(): Promise<TestDatabase> {
  const server = inject('database');
  const own = await cloneTemplate(server, server.template);
  const pool = testPool(forAllBusinesses(own.url));
  const admin = testPool(own.adminUrl, 2);
  const close = async () => {
    await Promise.all([pool.end(), admin.end()]);
    await dropDatabase(server.adminUrl, new URL(own.url).pathname.slice(1));
  };
  return { ...own, pool, admin, close };
}

/** Sessions that outlive the drop of their database without taking the test with them. */
export function testPool(connectionString: string, max = 10, options: PoolConfig = {}): Pool {
  const pool = new Pool({ connectionString, max, ...options });
  pool.on('error', () => {});
  return pool;
}
