import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The keys that `readConfig` asks for, 32 bytes each as base64, by the name of their variable. */
export type Secrets = Readonly<Record<(typeof names)[number], string>>;

const names = ['DATA_KEY', 'TOKEN_KEY', 'CLAIM_KEY', 'BOT_CHECK_KEY'] as const;

/**
 * The secrets of this installation: made on the first run in `secrets.json` of `dir` (readable by its owner alone),
 * the same ever after. Losing the file loses the personal data that DATA_KEY locks.
 */
export function loadSecrets(dir: string): Secrets {
  const file = join(dir, 'secrets.json');
  return readSecrets(file) ?? makeSecrets(file, dir);
}

function readSecrets(file: string): Secrets | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const stored = parse(text);
  const missing = names.filter((name) => typeof stored[name] !== 'string');
  if (missing.length > 0)
    throw new Error(`${file} is damaged: it has no ${missing.join(', ')}. Restore it from a copy.`);
  return stored as Secrets;
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Written aside and linked into place, so that of two first runs at once both use the file that came first. */
function makeSecrets(file: string, dir: string): Secrets {
  mkdirSync(dir, { recursive: true });
  const made = Object.fromEntries(names.map((name) => [name, randomBytes(32).toString('base64')]));
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(aside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside);
  }
  return readSecrets(file) as Secrets;
}
