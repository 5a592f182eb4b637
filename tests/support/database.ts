import { Pool } from 'pg';
import { inject } from 'vitest';
import { cloneTemplate, dropDatabase } from './template-database.ts';

export type TestDatabase = Readonly<{
  pool: Pool;
  /** `postgres://…` of this database, for what opens its own connections (LISTEN, locks). */
  url: string;
  /** Closes the pool and drops the database. */
  close(): Promise<void>;
}>;

/** A migrated, empty database of its own: one per test file, `beforeAll` to `afterAll`. */
export async function testDatabase(): Promise<TestDatabase> {
  const server = inject('database');
  const url = await cloneTemplate(server.url, server.template);
  const pool = new Pool({ connectionString: url, max: 10 });
  pool.on('error', () => {});
  const close = async () => {
    await pool.end();
    await dropDatabase(server.url, new URL(url).pathname.slice(1));
  };
  return { pool, url, close };
}
