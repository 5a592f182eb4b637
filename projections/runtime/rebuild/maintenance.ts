import type { Pool, PoolClient } from 'pg';
import type { Pace } from './pace.ts';

export type MaintenanceOptions = Readonly<{ signal: AbortSignal; pace?: Pace | undefined }>;

/**
 * Runs long statements (vacuum, index builds) on a connection of their own, which ends with them. They are cancelled
 * when `signal` aborts, and end by themselves when this process is killed.
 */
export async function maintain(
  pool: Pool,
  { signal, pace }: MaintenanceOptions,
  work: (db: PoolClient) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted();
  const db = await pool.connect();
  db.on('error', () => {});
  try {
    const { rows } = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
    const cancel = () => void pool.query('select pg_cancel_backend($1)', [rows[0]?.pid]).catch(() => {});
    signal.addEventListener('abort', cancel, { once: true });
    try {
      // Not every platform can see that a client is gone.
      await db.query(`set client_connection_check_interval = '1s'`).catch(() => {});
      for (const setting of settings(pace)) await db.query(setting);
      await work(db);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    db.release(true);
  }
}

/** Gentle work takes one core at most. */
function settings(pace: Pace | undefined): string[] {
  return pace?.kind === 'gentle'
    ? ['set max_parallel_maintenance_workers = 0', `set vacuum_cost_delay = '2ms'`]
    : [`set maintenance_work_mem = '128MB'`];
}
