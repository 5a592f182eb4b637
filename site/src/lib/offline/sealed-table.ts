import { askForLastingStorage } from '#site/lib/secure/lasting-storage.ts';
import { subtleCrypto } from '#site/lib/secure/sealing.ts';
import { browserTable, committed, done } from './copy-store.ts';
import { type Mark, setMark } from './marks.ts';

/** What waits as the browser's database holds it: bytes that are noise without the key, which no script is given. */
type SealedRow = Readonly<{ account: string; iv: Uint8Array<ArrayBuffer>; sealed: ArrayBuffer }>;
type KeyRow = Readonly<{ key: CryptoKey }>;
type Row = Readonly<Record<string, unknown>> & Partial<SealedRow> & Partial<KeyRow>;

/** Where a row is, and whose. */
type Place = Readonly<{ id: string; account: string }>;

export type SealedTable = Readonly<{
  /** Stores what waits. Rejects where the browser has no database, no room or, over plain http, no keys. */
  put(place: Place, content: Uint8Array<ArrayBuffer>): Promise<void>;
  /** What waits of an account. What cannot be opened stays where it is. */
  all(account: string): Promise<readonly Uint8Array[]>;
  /** Which rows are an account's. */
  ids(account: string): Promise<readonly string[]>;
  remove(id: string): Promise<void>;
  /** Removes these rows as their account logs out, and the key with the last row of all. */
  forget(ids: readonly string[]): Promise<void>;
}>;

const keyId = 'key';

/**
 * What waits until there is a signal, in the browser's database `database`: each row sealed with AES-256-GCM by a key that the browser
 * makes with the first one. Rows outlive the page, a session that ended and other accounts, not the logout of their own.
 */
export function sealedTable(
  database: string,
  { keyPath, mark }: Readonly<{ keyPath: string; mark: Mark }>,
): SealedTable {
  const table = browserTable(database, 'waiting', { keyPath, durability: 'strict' });
  const rowsOf = async (): Promise<Row[]> => done((await table.open('readonly')).getAll());
  const placeOf = (row: Row, account: string): Place => ({ id: String(row[keyPath]), account });

  async function sealingKey(): Promise<CryptoKey> {
    const made = await subtleCrypto().generateKey({ name: 'AES-GCM', length: 256 }, false, [
      'encrypt',
      'decrypt',
    ]);
    return knownKey(await table.open('readwrite'), made);
  }

  /** The key of this browser; `otherwise` where there is none. In one transaction, so that two tabs never make one each. */
  async function knownKey(rows: IDBObjectStore, otherwise: CryptoKey): Promise<CryptoKey> {
    const known: KeyRow | undefined = await done(rows.get(keyId));
    if (known) return known.key;
    await done(rows.put({ [keyPath]: keyId, key: otherwise }));
    return otherwise;
  }

  /** Takes the mark away where nothing waits, while no other tab can write: it marks what it wrote afterwards. */
  async function unmarkEmpty(rows: IDBObjectStore): Promise<boolean> {
    const isEmpty = (await done(rows.getAllKeys())).every((id) => id === keyId);
    if (isEmpty) setMark(mark, false);
    return isEmpty;
  }

  return {
    async put(place, content) {
      const key = await sealingKey();
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const sealed = await subtleCrypto().encrypt(cipher(iv, place), key, content);
      const rows = await table.open('readwrite');
      // A logout in another tab may have removed it meanwhile.
      await knownKey(rows, key);
      rows.put({ [keyPath]: place.id, account: place.account, iv, sealed });
      await committed(rows);
      setMark(mark, true);
      void askToStay();
    },
    async all(account) {
      const rows = await rowsOf();
      const key = rows.find((row) => row.key)?.key;
      if (rows.every((row) => row.key)) await unmarkEmpty(await table.open('readwrite'));
      if (!key) return [];
      const own = rows.filter((row) => row.sealed && row.account === account);
      const opened = own.map(async (row) => {
        const { iv, sealed } = row as SealedRow;
        return new Uint8Array(await subtleCrypto().decrypt(cipher(iv, placeOf(row, account)), key, sealed));
      });
      const settled = await Promise.allSettled(opened);
      return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    },
    async ids(account) {
      return (await rowsOf()).filter((row) => row.account === account).map((row) => placeOf(row, account).id);
    },
    async remove(id) {
      await done((await table.open('readwrite')).delete(id));
    },
    async forget(ids) {
      const rows = await table.open('readwrite');
      for (const id of ids) rows.delete(id);
      if (await unmarkEmpty(rows)) await done(rows.clear());
    },
  };
}

/** A row is good in its own place alone. */
function cipher(iv: Uint8Array<ArrayBuffer>, { id, account }: Place) {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(`${account} ${id}`) };
}

/** A browser that runs out of room removes whole sites, unless one asked to stay; asked once a page, with the first thing that waits. */
let asked: Promise<void> | undefined;

function askToStay(): Promise<void> {
  asked ??= askForLastingStorage();
  return asked;
}
