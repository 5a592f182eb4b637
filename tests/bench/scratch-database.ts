import { SessionPool } from '#core/postgres/session.ts';
import { migrate } from '#migrations/run.ts';
import { createReadTables } from '#tests/support/app/postgres.ts';
import type { BenchDatabase } from './prepared.ts';

/** A migrated, empty database beside an installation's own, dropped on close. */
export async function scratchDatabase(beside: BenchDatabase, max: number): Promise<BenchDatabase> {
  await beside.pool.query('drop database if exists bench_scratch with (force)');
  await beside.pool.query('create database bench_scratch owner ute_owner');
  const urls = {
    url: scratchOf(beside.url),
    ownerUrl: scratchOf(beside.ownerUrl),
    adminUrl: scratchOf(beside.adminUrl),
  };
  await migrate(urls.ownerUrl);
  await createReadTables(urls.url);
  const pool = new SessionPool({ connectionString: urls.adminUrl, max });
  pool.on('error', () => {});
  return {
    ...urls,
    pool,
    async close() {
      await pool.end();
      await beside.pool.query('drop database bench_scratch with (force)');
    },
  };
}

function scratchOf(url: string): string {
  const address = new URL(url);
  address.pathname = '/bench_scratch';
  return address.href;
}
