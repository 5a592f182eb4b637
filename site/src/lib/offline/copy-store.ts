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
  /** Deletes what was stored at that moment or before it, in ms since the epoch. */
  dropUntil(at: number): Promise<void>;
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
  async dropUntil(at) {
    const copies = await open('readwrite');
    for (const path of await done(copies.index('at').getAllKeys(IDBKeyRange.upperBound(at))))
      copies.delete(path);
  },
  clear: async () => void (await done(await open('readwrite').then((copies) => copies.clear()))),
};

async function dropOldest(copies: IDBObjectStore, count: number): Promise<void> {
  const oldest = await done(copies.index('at').getAllKeys(null, count));
  for (const path of oldest) copies.delete(path);
}

/** One table in a database of the browser. Rejects where the browser has none, refuses it or does not answer. */
export type BrowserTable = Readonly<{
  open(mode: IDBTransactionMode): Promise<IDBObjectStore>;
}>;

/**
 * The table of that name in the browser's database `database`, made with its first use; shared by the tabs of this browser. With the
 * durability `strict` what is written is on the disk once it is committed.
 */
export function browserTable(
  database: string,
  table: string,
  options: Readonly<{ keyPath: string; index?: string; durability?: IDBTransactionDurability }>,
): BrowserTable {
  const { keyPath, index, durability = 'default' } = options;
  let connected: Promise<IDBDatabase> | undefined;

  async function connect(): Promise<IDBDatabase> {
    const request = indexedDB.open(database, 1);
    request.onupgradeneeded = () => {
      const made = request.result.createObjectStore(table, { keyPath });
      if (index) made.createIndex(index, index);
    };
    const connection = await done(request);
    connection.onversionchange = () => connection.close();
    return connection;
  }

  async function begin(mode: IDBTransactionMode): Promise<IDBObjectStore> {
    connected ??= connect();
    try {
      return (await connected).transaction(table, mode, { durability }).objectStore(table);
    } catch (refusal) {
      connected = undefined;
      throw refusal;
    }
  }

  return {
    async open(mode) {
      const hadOne = connected !== undefined;
      // A connection may be closed at any time: for another release, as the site's storage is cleared, by a phone that slept.
      return begin(mode).catch((refusal: unknown) => {
        if (!hadOne) throw refusal;
        return begin(mode);
      });
    },
  };
}

/** What a request to a table comes to. Rejects where the browser refuses it or does not answer. */
export function done<T>(request: IDBRequest<T>): Promise<T> {
  return inTime((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Settles with the table's transaction: a disk that is full is often found out no earlier. Called in the transaction. */
export function committed({ transaction }: IDBObjectStore): Promise<void> {
  return inTime((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

/** How long the browser's database may take, in milliseconds. */
const PATIENCE = 3_000;

/** Rejects where the browser never answers, as some do after a crash: what waits for it goes on without it. */
function inTime<T>(
  ask: (resolve: (answer: T) => void, reject: (reason: unknown) => void) => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    setTimeout(() => reject(new DOMException('no answer', 'TimeoutError')), PATIENCE);
    ask(resolve, reject);
  });
}
