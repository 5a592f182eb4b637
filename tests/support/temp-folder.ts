import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own that other accounts may enter, as a checkout usually is; `remove` deletes it with what is in it. */
export function tempFolder(name: string): { path: string; remove(): void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), `ute-${name}-`)));
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
