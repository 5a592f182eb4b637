import { browserTable, done } from './browser-table.ts';

/** An answer as the browser's database holds it: bytes that are noise without the key. `at` in ms since the epoch. */
export type SealedCopy = Readonly<{
  path: string;
  at: number;
  iv: Uint8Array<ArrayBuffer>;
  sealed: ArrayBuffer;
}>;

export type CopyStore = Readonly<{
  put(copy: SealedCopy): Promise<void>;
  get(path: string): Promise<SealedCopy | undefined>;
  /** Where there are copies. */
  paths(): Promise<string[]>;
  clear(): Promise<void>;
}>;

/** Lists, days and the jobs opened last; the oldest go. */
const mostCopies = 150;
/** The name of the database in the browser. */
export const copiesDatabase = 'ute.copies';
const { open } = browserTable(copiesDatabase, 'copies', { keyPath: 'path', index: 'at' });

/** Copies in IndexedDB, shared by the tabs of this browser. Rejects where the browser has none or refuses it. */
export const indexedCopies: CopyStore = {
  async put(copy) {
    const copies = await open('readwrite');
    copies.put(copy);
    const count = await done(copies.count());
    if (count > mostCopies) await dropOldest(copies, count - mostCopies);
  },
  get: async (path) => done(await open('readonly').then((copies) => copies.get(path))),
  paths: async () => (await done(await open('readonly').then((copies) => copies.getAllKeys()))).map(String),
  clear: async () => void (await done(await open('readwrite').then((copies) => copies.clear()))),
};

async function dropOldest(copies: IDBObjectStore, count: number): Promise<void> {
  const oldest = await done(copies.index('at').getAllKeys(null, count));
  for (const path of oldest) copies.delete(path);
}
