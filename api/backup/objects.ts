import { createHash } from 'node:crypto';
import { Decrypter, Encrypter } from 'age-encryption';
import type { BackupTarget } from '#api/providers/backup-target.ts';

/** An object as a manifest names it: its length, and SHA-256 in hex, of what lies in the target. */
export type StoredObject = Readonly<{ name: string; bytes: number; sha256: string }>;

/** A backup cannot be written or read. The message is one line for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

export type ObjectWriter = Readonly<{
  /** Stores bytes that only the owner of the identity can read. `name` ends in `.age`. */
  sealed(name: string, bytes: Uint8Array): Promise<StoredObject>;
  /** As `sealed`, lines compressed with zstd. `name` ends in `.ndjson.zst.age`. */
  lines(name: string, lines: readonly string[]): Promise<StoredObject>;
  /** Stores bytes as they are: of what names no person. */
  open(name: string, bytes: Uint8Array): Promise<StoredObject>;
}>;

/** Writes objects, encrypted to `recipient` (`age1…`). Throws BackupError for another text, `OutageError` from the target. */
export function objectWriter(target: BackupTarget, recipient: string): ObjectWriter {
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(recipient);
  } catch {
    throw new BackupError('BACKUP_RECIPIENT is not a public key of age (age1…).');
  }
  const open = async (name: string, bytes: Uint8Array): Promise<StoredObject> => {
    await target.put(name, bytes);
    return { name, bytes: bytes.length, sha256: digestOf(bytes) };
  };
  const sealed = async (name: string, bytes: Uint8Array) => open(name, await encrypter.encrypt(bytes));
  return {
    open,
    sealed,
    lines: async (name, lines) => sealed(name, await Bun.zstdCompress(textOf(lines))),
  };
}

export type ObjectReader = Readonly<{
  /** The bytes of an object. Throws BackupError when it is missing, is another one, or is for another identity. */
  sealed(object: StoredObject): Promise<Uint8Array>;
  lines(object: StoredObject): Promise<string[]>;
  open(object: StoredObject): Promise<Uint8Array>;
}>;

/** Reads objects with an identity of age (`AGE-SECRET-KEY-1…`). Throws BackupError for another text. */
export function objectReader(target: BackupTarget, identity: string): ObjectReader {
  const decrypter = new Decrypter();
  try {
    decrypter.addIdentity(identity);
  } catch {
    throw new BackupError('The identity is not a secret key of age (AGE-SECRET-KEY-1…).');
  }
  const open = async (object: StoredObject) => {
    const bytes = await target.get(object.name);
    if (bytes === null) throw new BackupError(`${object.name} is missing from the backup.`);
    if (digestOf(bytes) !== object.sha256)
      throw new BackupError(
        `${object.name} is not what the manifest names: ${bytes.length} bytes instead of ${object.bytes}, or other ones.`,
      );
    return bytes;
  };
  const sealed = async (object: StoredObject) => {
    const bytes = await open(object);
    try {
      return await decrypter.decrypt(bytes);
    } catch {
      throw new BackupError(`${object.name} does not open with this identity.`);
    }
  };
  return {
    open,
    sealed,
    async lines(object) {
      const text = (await Bun.zstdDecompress(await sealed(object))).toString('utf8');
      return text === '' ? [] : text.slice(0, -1).split('\n');
    },
  };
}

/** SHA-256 in hex. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function textOf(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''), 'utf8');
}

/** An instant as it stands in names: `20261123T091500123Z`. Names sort as the instants do. */
export function nameOfInstant(at: Date): string {
  return at.toISOString().replace(/[-:.]/g, '');
}
