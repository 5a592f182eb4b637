/**
 * Where a backup is written: objects under names such as `log/1/0-19999.ndjson.zst.age`, each whole or absent. Every method
 * throws `OutageError` when the target is unavailable, full or refuses.
 */
export type BackupTarget = Readonly<{
  /** Stores an object, and replaces one of this name. Durable once it resolves. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Null when there is no object of this name. */
  get(name: string): Promise<Uint8Array | null>;
  /** The names that begin with `prefix` and come after `after`, in order. */
  list(prefix: string, after?: string): Promise<string[]>;
  /** Removing what is not there does nothing. */
  remove(name: string): Promise<void>;
}>;

const NAME = /^(?!\.)[A-Za-z0-9._-]+(?:\/(?!\.)[A-Za-z0-9._-]+)*$/;

/** Throws RangeError unless it is a name that a backup makes: no path leads out of the target. */
export function assertObjectName(name: string): void {
  if (!NAME.test(name)) throw new RangeError('not the name of an object of a backup');
}

/** Something has not answered in its time, and may still do. */
export class LateError extends Error {
  override readonly name = 'LateError';
}

/** Rejects with `LateError` after `milliseconds`; the work itself goes on. */
export function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => reject(new LateError('took too long')), milliseconds);
  work.then(resolve, reject);
  return promise.finally(() => clearTimeout(timer));
}
