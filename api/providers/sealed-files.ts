import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { SubjectKeys } from '#core/event-store/subject-keys.ts';
import { erasedMessage } from '#core/job/retention/decide.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import type { FileKey, FileStore, Pieces } from './files.ts';

/** What of a file is sealed at once, in bytes: nothing is handed out of a piece before all of it is checked. */
const PIECE = 64 * 1024;
const TAG = 16;
const SALT = 16;
/** No file that is accepted begins with a zero. The last byte is the version. */
const MAGIC = Buffer.from('\0ute-file\x01', 'latin1');

type Header = Readonly<{ subject: string; salt: Uint8Array; length: number }>;

/**
 * A store in which customers' files and their small pictures are sealed under the key of a subject, and logos are not. The subject
 * is in the file: of a file from before its job it is the file itself (`subjectOfFile`), until it is sealed again. A file whose key is
 * destroyed is not found, nor is one that was changed or is not sealed (`file-damaged` in the log).
 * `put` throws ConflictError where the subject is erased; all throw as the store of files does, and as the keys do.
 */
export function sealedFiles({
  files,
  subjectKeys,
  logger,
}: Readonly<{
  files: FileStore;
  subjectKeys: Pick<SubjectKeys, 'find' | 'ensure'>;
  logger: Pick<Logger, 'error'>;
}>): FileStore {
  return {
    async put(key, bytes, type, subject = subjectOfFile({ id: idOf(key), jobId: null })) {
      if (isLogo(key) || !(bytes instanceof Uint8Array)) return files.put(key, bytes, type);
      const subjectKey = (await subjectKeys.ensure([subject])).get(subject);
      if (!Buffer.isBuffer(subjectKey)) throw new ConflictError(erasedMessage);
      return files.put(key, sealPieces({ key, bytes, subject, subjectKey }), 'application/octet-stream');
    },

    async get(key) {
      let before: string | undefined;
      for (;;) {
        const stored = await files.get(key);
        if (!stored || isLogo(key)) return stored;
        const header = headerOf(stored);
        if (!header) {
          logger.error({ event: 'file-damaged', file: key });
          return null;
        }
        const { subject } = header;
        const subjectKey = (await subjectKeys.find([subject])).get(subject);
        if (Buffer.isBuffer(subjectKey)) {
          const clear = openPieces({ key, stored, header, subjectKey });
          if (!clear) logger.error({ event: 'file-damaged', file: key });
          return clear;
        }
        // Between the two reads it may have been sealed under another key, and the first one destroyed.
        if (subject === before) return null;
        before = subject;
      }
    },

    remove: files.remove,
  };
}

/** Under whose key a file is sealed: that of the customer of its job, or its own while it has none. */
export function subjectOfFile({ id, jobId }: Readonly<{ id: string; jobId: string | null }>): string {
  return jobId === null ? `upload-${id}` : `customer-${jobId}`;
}

const isLogo = (key: FileKey) => key.startsWith('logos/');
const idOf = (key: FileKey) => key.slice(key.indexOf('/') + 1);

type Sealing = Readonly<{ key: FileKey; bytes: Uint8Array; subject: string; subjectKey: Buffer }>;

/** Header, then pieces in order, each with its tag: sealed as they are taken, so that no second copy of the file is in memory. */
function sealPieces({ key, bytes, subject, subjectKey }: Sealing): Pieces {
  const name = Buffer.from(subject, 'utf8');
  const salt = randomBytes(SALT);
  const header = Buffer.concat([MAGIC, Buffer.from([name.length]), name, salt]);
  const pieceKey = keyOfPieces(subjectKey, salt, key);
  const count = Math.max(1, Math.ceil(bytes.length / PIECE));
  return {
    length: header.length + bytes.length + count * TAG,
    *[Symbol.iterator]() {
      yield header;
      for (let n = 0; n < count; n += 1) {
        const cipher = createCipheriv('aes-256-gcm', pieceKey, nonceOf(n, n === count - 1));
        yield cipher.update(bytes.subarray(n * PIECE, (n + 1) * PIECE));
        yield Buffer.concat([cipher.final(), cipher.getAuthTag()]);
      }
    },
  };
}

/** The clear bytes, in the memory of the sealed ones; null where a piece was changed, cut off, moved or is another file's. */
function openPieces({
  key,
  stored,
  header,
  subjectKey,
}: Readonly<{
  key: FileKey;
  stored: Uint8Array;
  header: Header;
  subjectKey: Buffer;
}>): Uint8Array | null {
  const pieceKey = keyOfPieces(subjectKey, header.salt, key);
  let [read, written] = [header.length, 0];
  for (let n = 0; ; n += 1) {
    const end = Math.min(read + PIECE + TAG, stored.length);
    const isLast = end === stored.length;
    if (end - read < TAG) return null;
    const decipher = createDecipheriv('aes-256-gcm', pieceKey, nonceOf(n, isLast), { authTagLength: TAG });
    decipher.setAuthTag(stored.slice(end - TAG, end));
    try {
      const clear = Buffer.concat([decipher.update(stored.subarray(read, end - TAG)), decipher.final()]);
      stored.set(clear, written);
      written += clear.length;
    } catch {
      return null;
    }
    if (isLast) return stored.subarray(0, written);
    read = end;
  }
}

/** Null for bytes that are not sealed. */
function headerOf(stored: Uint8Array): Header | null {
  if (!MAGIC.equals(stored.subarray(0, MAGIC.length))) return null;
  const begin = MAGIC.length + 1;
  const end = begin + (stored[MAGIC.length] ?? 0);
  const subject = Buffer.from(stored.subarray(begin, end)).toString('utf8');
  return { subject, salt: stored.slice(end, end + SALT), length: end + SALT };
}

/** Of one file under one name: a salt is used once, so a counter is nonce enough. */
function keyOfPieces(subjectKey: Buffer, salt: Uint8Array, key: FileKey): Buffer {
  return Buffer.from(hkdfSync('sha256', subjectKey, salt, `ute file ${key}`, 32));
}

/** The last piece has a nonce of its own, so that a file that was cut at the end of a piece does not open. */
function nonceOf(n: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(n, 7);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}
