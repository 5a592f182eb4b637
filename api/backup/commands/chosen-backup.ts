import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import {
  instantOfManifest,
  listManifests,
  type Manifest,
  manifestVerifier,
  readManifest,
} from '#api/backup/manifest.ts';
import { BackupError } from '#api/backup/objects.ts';
import { LEDGER } from '#api/backup/upkeep.ts';
import type { BackupTarget } from '#api/providers/backup-target.ts';
import type { BackupPlace } from '#api/runtime/config/storage.ts';
import { parseVkey } from '#core/crypto/note.ts';

/** Which backup is restored, and how. */
export type Options = Readonly<{
  from: BackupPlace;
  identity: string;
  at?: Date | number;
  into?: readonly string[];
  key?: string;
  withoutLedger?: boolean;
  verify?: boolean;
  afterPitr?: boolean;
  dryRun?: boolean;
}>;

/** The manifest that is asked for and the newest one. Throws BackupError where there is none, or it is not signed. */
export async function chooseManifest(
  target: BackupTarget,
  { at, key }: Pick<Options, 'at' | 'key'>,
  logKeys: readonly Buffer[],
): Promise<Readonly<{ manifest: Manifest; newest: Manifest }>> {
  const given = key === undefined ? null : parseVkey(key);
  if (key !== undefined && !given) throw new BackupError('--key is not a vkey (name+id+base64).');
  const verifiers = given ? [given] : logKeys.map(manifestVerifier);
  if (verifiers.length === 0) throw new BackupError('LOG_KEY is missing: give it, or --key with its vkey.');
  const names = await listManifests(target);
  const last = names.at(-1);
  if (last === undefined) throw new BackupError('There is no backup in this place.');
  const newest = await readManifest(target, last, verifiers);
  if (at === undefined) return { manifest: newest, newest };
  for (const name of names.toReversed()) {
    if (at instanceof Date && (instantOfManifest(name) ?? at) > at) continue;
    const manifest = await readManifest(target, name, verifiers);
    if (at instanceof Date || manifest.log.size <= at) return { manifest, newest };
  }
  throw new BackupError('There is no backup of then.');
}

/** The ledger of a backup as text; null where it has none and that is accepted. Throws BackupError otherwise. */
export async function readLedger(
  target: BackupTarget,
  { withoutLedger }: Pick<Options, 'withoutLedger'>,
): Promise<string | null> {
  const bytes = await target.get(LEDGER);
  if (bytes !== null) return Buffer.from(bytes).toString('utf8');
  if (withoutLedger) return null;
  throw new BackupError(
    `${LEDGER} is missing from the backup: without it erased people come back. --without-ledger restores all the same.`,
  );
}

/** The longer one of a ledger and its copy in a backup. Throws BackupError for two that differ: they are for the operator to look at. */
export function longerLedger(file: string, copy: string): string {
  const own = textOf(file);
  if (own.startsWith(copy)) return own;
  if (!copy.startsWith(own))
    throw new BackupError(
      `${file} and the ledger of the backup differ: neither goes on where the other ends.`,
    );
  return copy;
}

/** The longer one of ledger and copy stays, as `longerLedger` has it. */
export function placeLedger(file: string, copy: string): void {
  const longer = longerLedger(file, copy);
  if (longer !== textOf(file)) writeFileSync(file, longer, { mode: 0o600, flush: true });
}

const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** The identity in a file, as `age-keygen` writes it. Throws BackupError. */
export function readIdentity(file: string): string {
  if (!existsSync(file) || !statSync(file).isFile())
    throw new BackupError(`${file} cannot be read: it is to hold the identity.`);
  const line = readFileSync(file, 'utf8')
    .split('\n')
    .find((one) => one.startsWith('AGE-SECRET-KEY-'));
  if (!line) throw new BackupError(`${file} has no identity of age (AGE-SECRET-KEY-1…).`);
  return line.trim();
}
