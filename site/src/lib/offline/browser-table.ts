/** One table in a database of the browser. Rejects where the browser has none or refuses it. */
export type BrowserTable = Readonly<{
  open(mode: IDBTransactionMode): Promise<IDBObjectStore>;
}>;

/** The table of that name in the browser's database `database`, made with its first use; shared by the tabs of this browser. */
export function browserTable(
  database: string,
  table: string,
  options: Readonly<{ keyPath: string; index?: string }>,
): BrowserTable {
  let connected: Promise<IDBDatabase> | undefined;

  async function connect(): Promise<IDBDatabase> {
    const request = indexedDB.open(database, 1);
    request.onupgradeneeded = () => {
      const made = request.result.createObjectStore(table, { keyPath: options.keyPath });
      if (options.index) made.createIndex(options.index, options.index);
    };
    const connection = await done(request);
    // The browser closes it as a logout clears the site's storage.
    connection.onclose = () => (connected = undefined);
    connection.onversionchange = () => connection.close();
    return connection;
  }

  return {
    async open(mode) {
      connected ??= connect();
      const connection = await connected.catch((refusal: unknown) => {
        connected = undefined;
        throw refusal;
      });
      return connection.transaction(table, mode).objectStore(table);
    },
  };
}

/** What a request to a table comes to. */
export function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
