import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The keys that `readConfig` asks for, 32 bytes each as base64, by the name of their variable. */
export type Secrets = Readonly<Record<(typeof names)[number], string> & { LOG_KEY_BEFORE?: string }>;

const names = ['DATA_KEY', 'TOKEN_KEY', 'CLAIM_KEY', 'BOT_CHECK_KEY', 'LOG_KEY'] as const;

/**
 * The secrets of this installation: made on the first run in `secrets.json` of `dir` (readable by its owner alone),
 * the same ever after. Losing the file loses the personal data that DATA_KEY locks.
 */
export function loadSecrets(dir: string): Secrets {
  const file = join(dir, 'secrets.json');
  return readSecrets(file) ?? makeSecrets(file, dir);
}

/** Makes a new LOG_KEY and keeps the one of now as LOG_KEY_BEFORE. False where the folder holds no secrets. */
export function rotateLogKey(dir: string): boolean {
  const file = join(dir, 'secrets.json');
  const stored = readSecrets(file);
  if (!stored) return false;
  replace(file, { ...stored, ...newKeys(['LOG_KEY']), LOG_KEY_BEFORE: stored.LOG_KEY });
  return true;
}

/** Written aside and moved into place. */
function replace(file: string, secrets: Readonly<Record<string, string>>): void {
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, textOf(secrets), { mode: 0o600, flush: true });
  renameSync(aside, file);
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
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, textOf(newKeys(names)), { mode: 0o600, flush: true });
  try {
    linkSync(aside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside);
  }
  return readSecrets(file) as Secrets;
}

function newKeys(of: readonly string[]): Record<string, string> {
  return Object.fromEntries(of.map((name) => [name, randomBytes(32).toString('base64')]));
}

function textOf(secrets: Readonly<Record<string, string>>): string {
  return `${JSON.stringify(secrets, null, 2)}\n`;
}
