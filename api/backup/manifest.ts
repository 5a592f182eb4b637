import { createHmac } from 'node:crypto';
import type { BackupTarget } from '#api/providers/backup-target.ts';
import type { Keys } from '#api/runtime/config/keys.ts';
import { type NoteVerifier, noteSigner, openNote, signNote } from '#core/crypto/note.ts';
import type { LogKind } from '#core/event-store/log-origin.ts';
import type { Position } from '#core/event-store/port.ts';
import { canonicalJson, type JsonObject } from '#core/kernel/canonical-json.ts';
import { BackupError, nameOfInstant, type StoredObject } from './objects.ts';

/** Events of one object, in the order of the log. `after` is the position before the first of them, `first` its number from 0. */
export type Segment = StoredObject & Readonly<{ first: number; count: number; after: Position }>;

/** The log up to `size` events. `line` numbers the logs that this target has seen: a restored one begins a new line. */
export type LogPart = Readonly<{
  line: number;
  kind: LogKind;
  size: number;
  /** Root of the tree over these events, in base64, and what it takes to go on growing it. */
  root: string;
  peaks: readonly string[];
  /** The last event; null before the first. `hash` in hex, `before` is the position of the event before it. */
  last: Readonly<{ before: Position; position: Position; hash: string }> | null;
  segments: readonly Segment[];
}>;

/** The wrapped keys of subjects: all of them as of `fullAt`, and what has changed up to `at`. */
export type KeysPart = Readonly<{
  at: string;
  fullAt: string;
  full: readonly StoredObject[];
  changes: readonly StoredObject[];
}>;

/** Tables by their names with their columns, as of `at`. */
export type StatePart = Readonly<{
  at: string;
  tables: Readonly<Record<string, readonly string[]>>;
  objects: readonly StoredObject[];
}>;

/** The list of the files that are stored, which is an object of its own. */
export type FilesPart = Readonly<{ count: number; list: StoredObject }>;

/** What makes objects a backup: those that no manifest names do not exist. */
export type Manifest = Readonly<{
  n: number;
  at: string;
  log: LogPart;
  keys: KeysPart;
  state: StatePart;
  files: FilesPart;
  /** The migrations that the database had, by name. */
  migrations: readonly string[];
  /** Values that tell whether a key is the one, by the name of its variable. */
  checks: Readonly<Record<string, string>>;
}>;

/** First line of a manifest: no other text of ours that is signed begins with it. */
const TITLE = 'ute-backup/1';
const SIGNER = 'ute-backup';
const FOLDER = 'manifest/';

/** Whose signature a manifest of this `LOG_KEY` (32 bytes) bears. */
export function manifestVerifier(logKey: Buffer): NoteVerifier {
  return noteSigner(SIGNER, logKey).verifier;
}

/** Signs and stores a manifest: from then on it is the newest. Answers its name. */
export async function writeManifest(
  target: BackupTarget,
  manifest: Manifest,
  logKey: Buffer,
): Promise<string> {
  const text = `${TITLE}\n${canonicalJson(manifest as unknown as JsonObject)}\n`;
  const at = new Date(manifest.at);
  const name = `${FOLDER}${String(manifest.n).padStart(10, '0')}-${nameOfInstant(at)}.json`;
  await target.put(name, Buffer.from(signNote(text, [noteSigner(SIGNER, logKey)], at), 'utf8'));
  return name;
}

/** The names of all manifests, oldest first. */
export function listManifests(target: BackupTarget, after?: string): Promise<string[]> {
  return target.list(FOLDER, after);
}

/** Throws BackupError when it is missing, cut, or signed by none of these. */
export async function readManifest(
  target: BackupTarget,
  name: string,
  verifiers: readonly NoteVerifier[],
): Promise<Manifest> {
  const bytes = await target.get(name);
  if (bytes === null) throw new BackupError(`${name} is missing from the backup.`);
  const note = openNote(Buffer.from(bytes).toString('utf8'), verifiers);
  const [title, json] = note?.text.split('\n') ?? [];
  if (!note || title !== TITLE || json === undefined)
    throw new BackupError(`${name} is not a whole manifest.`);
  if (note.signatures.length === 0)
    throw new BackupError(`${name} is not signed by this LOG_KEY, or was changed since.`);
  return JSON.parse(json) as Manifest;
}

/** When a manifest was made, by its name; null for another name. */
export function instantOfManifest(name: string): Date | null {
  const [, year, month, day, hour, minute, second, ms] =
    /-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.json$/.exec(name) ?? [];
  return year ? new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`) : null;
}

/** 16 hex digits that tell one key from another and nothing of either. */
export function checkValue(variable: string, key: Buffer): string {
  return createHmac('sha256', key).update(`ute/check/${variable}`).digest('hex').slice(0, 16);
}

/** Of the keys without which a backup is worth nothing. */
export function checkValues({ data, claim }: Pick<Keys, 'data' | 'claim'>): Manifest['checks'] {
  return { DATA_KEY: checkValue('DATA_KEY', data), CLAIM_KEY: checkValue('CLAIM_KEY', claim) };
}
