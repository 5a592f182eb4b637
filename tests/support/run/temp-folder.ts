import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
const roomy = 4 * 1024 ** 3;

/**
 * Makes memory the folder of temporary files, of this process and those that it starts, where there is room for it: making and
 * dropping a database of a thousand small files costs a disk ten times the processor time.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env.TMPDIR || process.platform !== 'linux') return;
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize >= roomy) process.env.TMPDIR = memory;
  } catch {
    // A system without it: the disk serves.
  }
}

/** A folder of its own that other accounts may enter, as a checkout usually is; `remove` deletes it with what is in it. */
export function tempFolder(name: string, parent = tmpdir()): { path: string; remove(): void } {
  mkdirSync(parent, { recursive: true });
  const path = realpathSync(mkdtempSync(join(parent, `ute-${name}-`)));
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
