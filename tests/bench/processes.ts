import { readFileSync } from 'node:fs';

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

/** Seconds of processor that a process has used, of all its threads; null where the system does not say (not Linux). */
export function processorSeconds(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return null;
  }
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
