import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';

/** What every figure stands beside. */
export type Machine = Readonly<{
  processor: string;
  cores: number;
  memoryGb: number;
  bun: string;
  postgres: string;
  /** How many times a second 8 kB reach the disk, one after the other. */
  fsyncs: number;
}>;

export async function describeMachine(pool: Pool, folder: string): Promise<Machine> {
  const { rows } = await pool.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    bun: Bun.version,
    postgres: rows[0]?.version ?? 'unknown',
    fsyncs: Math.round(fsyncRate(folder)),
  };
}

/** The load average of the last minute: how many more than us want the cores. */
export function load(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}

function fsyncRate(folder: string): number {
  const path = join(folder, 'fsync-rate');
  const file = openSync(path, 'w');
  const page = Buffer.alloc(8_192, 1);
  const start = performance.now();
  let syncs = 0;
  while (performance.now() - start < 1_000) {
    writeSync(file, page, 0, page.length, (syncs % 256) * page.length);
    fdatasyncSync(file);
    syncs += 1;
  }
  const seconds = (performance.now() - start) / 1_000;
  closeSync(file);
  rmSync(path);
  return syncs / seconds;
}
