import { Pool } from 'pg';
import { migrate } from '#migrations/run.ts';
import type { BenchDatabase } from './prepared.ts';

/** A migrated, empty database beside an installation's own, dropped on close. */
export async function scratchDatabase(beside: BenchDatabase, max: number): Promise<BenchDatabase> {
  await beside.pool.query('drop database if exists bench_scratch with (force)');
  await beside.pool.query('create database bench_scratch');
  const url = new URL(beside.url);
  url.pathname = '/bench_scratch';
  await migrate(url.href);
  const pool = new Pool({ connectionString: url.href, max });
  pool.on('error', () => {});
  return {
    url: url.href,
    pool,
    async close() {
      await pool.end();
      await beside.pool.query('drop database bench_scratch with (force)');
    },
  };
}
