import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Pool } from 'pg';

type Entry = Readonly<{ pid: number; parent: number; rss: number; command: string }>;

/** Memory in bytes of a process and all it started, without Postgres. */
export function memoryOf(pid: number): number {
  const entries = listProcesses();
  const family = new Set([pid]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const entry of entries) if (family.has(entry.parent)) family.add(entry.pid);
  }
  const ours = entries.filter((entry) => family.has(entry.pid) && !/postgres/.test(entry.command));
  return ours.reduce((sum, { rss }) => sum + rss, 0);
}

/** Begins to watch the memory of one process: the most that it has had in bytes, from now until it is asked. Linux only. */
export function watchMemory(pid: number): () => number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return () => 1_024 * Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** Seconds of processor that a process has used, of all its threads; null where the system does not say (not Linux). */
export function processorSeconds(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return null;
  }
}

/**
 * Seconds of processor that a process and all below it have used, of those that have ended too, but for the process `apart`
 * and all below that. Linux only.
 */
export function processorSecondsOfAll(root: number, apart = 0): number {
  const times = readdirSync('/proc').flatMap((name) => timesOf(Number(name)) ?? []);
  const family = new Set([root]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const { pid, parent } of times) if (family.has(parent) && pid !== apart) family.add(pid);
  }
  return times.reduce((sum, { pid, seconds }) => sum + (family.has(pid) ? seconds : 0), 0);
}

type Times = Readonly<{ pid: number; parent: number; seconds: number }>;

/** Null for what is no process, or no more. */
function timesOf(pid: number): Times | null {
  if (!(pid > 0)) return null;
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { pid, parent: Number(fields[1]), seconds: ticks / 100 };
  } catch {
    return null;
  }
}

/** The process above all sessions of the database. */
export async function postmasterOf(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  return timesOf(rows[0]?.pid ?? 0)?.parent ?? 0;
}

function listProcesses(): Entry[] {
  const { stdout } = Bun.spawnSync(['ps', '-A', '-o', 'pid=,ppid=,rss=,comm=']);
  return stdout
    .toString()
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parent, rss, ...command] = line.trim().split(/\s+/);
      return {
        pid: Number(pid),
        parent: Number(parent),
        rss: Number(rss) * 1_024,
        command: command.join(' '),
      };
    });
}
