import { browserTable, done } from '#site/lib/offline/copy-store.ts';
import { changesMark } from '#site/lib/offline/drafts.ts';
import type { ChangeStore, StoredChange } from './change-queue.ts';

/** A change as the browser's database holds it: bytes that are noise without the key, which no script is given. */
export type SealedChange = Readonly<{
  id: string;
  account: string;
  iv: Uint8Array<ArrayBuffer>;
  sealed: ArrayBuffer;
}>;
type KeyRow = Readonly<{ id: typeof keyId; key: CryptoKey }>;

const keyId = 'key';
const table = browserTable('ute.changes', 'waiting', { keyPath: 'id' });

/** Changes that are not sent yet, in the browser's database: they outlive the page and a lost session, not a logout. */
export const storedChanges: ChangeStore & Readonly<{ clear(): Promise<void>; count(): Promise<number> }> = {
  async put(change) {
    const key = await sealingKey();
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const sealed = await crypto.subtle.encrypt(
      cipher(iv, change),
      key,
      new TextEncoder().encode(JSON.stringify(change)),
    );
    const { id, account } = change;
    await done((await table.open('readwrite')).put({ id, account, iv, sealed } satisfies SealedChange));
    // After it: a tab that finds nothing stored takes the mark away.
    localStorage.setItem(changesMark, '1');
  },
  async remove(id) {
    await done((await table.open('readwrite')).delete(id));
  },
  async all(account) {
    const rows: (SealedChange | KeyRow)[] = await done((await table.open('readonly')).getAll());
    const key = rows.find((row) => 'key' in row)?.key;
    const changes = rows.filter((row) => 'sealed' in row);
    if (!key || changes.length === 0) {
      localStorage.removeItem(changesMark);
      return [];
    }
    const own = changes.filter((row) => row.account === account);
    return (await Promise.all(own.map((row) => opened(row, key)))).toSorted((a, b) => a.at - b.at);
  },
  /** How many wait, of every account. */
  async count() {
    const ids = await done((await table.open('readonly')).getAllKeys());
    return ids.filter((id) => id !== keyId).length;
  },
  /** Removes those of every account and the key: the account logs out. */
  async clear() {
    await done((await table.open('readwrite')).clear());
    localStorage.removeItem(changesMark);
  },
};

/** The key of this browser, made with the first change. */
async function sealingKey(): Promise<CryptoKey> {
  const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  const rows = await table.open('readwrite');
  // In one transaction, so that two tabs never make one each.
  const known: KeyRow | undefined = await done(rows.get(keyId));
  if (known) return known.key;
  await done(rows.put({ id: keyId, key: made } satisfies KeyRow));
  return made;
}

async function opened({ iv, sealed, ...row }: SealedChange, key: CryptoKey): Promise<StoredChange> {
  const text = await crypto.subtle.decrypt(cipher(iv, row), key, sealed);
  return JSON.parse(new TextDecoder().decode(text));
}

/** A change is good in its own place alone. */
function cipher(iv: Uint8Array<ArrayBuffer>, { id, account }: Pick<StoredChange, 'id' | 'account'>) {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(`${account} ${id}`) };
}
