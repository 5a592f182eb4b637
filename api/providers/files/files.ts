/**
 * Bytes under keys of ours, written once and never changed. All three throw `OutageError` when the store is unavailable or full.
 */
export type FileStore = Readonly<{
  put(key: FileKey, bytes: Uint8Array, type: string): Promise<void>;
  /** Null when nothing is stored under the key. */
  get(key: FileKey): Promise<Uint8Array | null>;
  /** Removing what is not there does nothing. */
  remove(key: FileKey): Promise<void>;
}>;

/** `logos/…` or `media/…`: a folder of ours and a random name, so that no key holds a person's words. */
export type FileKey = `${(typeof folders)[number]}/${string}`;

const folders = ['logos', 'media'] as const;
const KEY = new RegExp(`^(?:${folders.join('|')})/[A-Za-z0-9_-]{32}$`);

/** Throws RangeError unless it is a key that this product makes: no path leads out of the store. */
export function assertFileKey(key: string): asserts key is FileKey {
  if (!KEY.test(key)) throw new RangeError('not a file key');
}
