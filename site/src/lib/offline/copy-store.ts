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
const table = 'copies';
/** The name of the database in the browser. */
export const copiesDatabase = 'ute.copies';

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

let database: Promise<IDBDatabase> | undefined;

async function open(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  database ??= connect();
  const connection = await database.catch((refusal: unknown) => {
    database = undefined;
    throw refusal;
  });
  return connection.transaction(table, mode).objectStore(table);
}

async function connect(): Promise<IDBDatabase> {
  const request = indexedDB.open(copiesDatabase, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(table, { keyPath: 'path' }).createIndex('at', 'at');
  };
  const connection = await done(request);
  // The browser closes it as a logout clears the site's storage.
  connection.onclose = () => (database = undefined);
  connection.onversionchange = () => connection.close();
  return connection;
}

async function dropOldest(copies: IDBObjectStore, count: number): Promise<void> {
  const oldest = await done(copies.index('at').getAllKeys(null, count));
  for (const path of oldest) copies.delete(path);
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
