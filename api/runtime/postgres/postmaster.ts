import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { link, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** What `postmaster.pid` says of the server that runs, or ran, on a data directory. */
export type Postmaster = Readonly<{ pid: number; port: number; ready: boolean; text: string }>;

/** Reads `postmaster.pid`; null when there is none or it is still being written. */
export async function readPostmaster(cluster: string): Promise<Postmaster | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!(pid > 0) || !(port > 0)) return null;
  return { pid, port, ready: lines[7]?.trim() === 'ready', text };
}

/** Whether the process that the pid file names lives and serves this cluster: its number may be another program's now. */
export function isRunning({ pid }: Postmaster, cluster: string): boolean {
  if (!isAlive(pid)) return false;
  const command = commandOf(pid);
  return command === null || command.includes(cluster);
}

/**
 * Puts aside a pid file whose number now belongs to another program, since Postgres refuses to start beside it.
 * Leaves it alone if a new server has written its own meanwhile.
 */
export async function discardStalePidFile(cluster: string, stale: Postmaster): Promise<void> {
  if (!isAlive(stale.pid)) return;
  const file = join(cluster, 'postmaster.pid');
  const aside = join(cluster, `postmaster.pid.stale-${process.pid}`);
  await rename(file, aside).catch(() => {});
  const moved = await readFile(aside, 'utf8').catch(() => stale.text);
  if (moved !== stale.text) await link(aside, file).catch(() => {});
  await rm(aside, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function commandOf(pid: number): string | null {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (process.platform === 'win32') return null;
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return null;
  }
}
