import { unusedFileLife } from '#core/values/uploads.ts';
import { browserTable, done } from '#site/lib/offline/copy-store.ts';
import { newId } from '#site/lib/secure/new-id.ts';
import { subtleCrypto } from '#site/lib/secure/sealing.ts';

/** A file as the browser's database holds it: bytes that are noise without the key, which its tab alone has. `at` in ms since the epoch. */
type SealedFile = Readonly<{
  id: string;
  at: number;
  iv: Uint8Array<ArrayBuffer>;
  type: string;
  sealed: ArrayBuffer;
}>;

const table = browserTable('ute.form-files', 'waiting', { keyPath: 'id', index: 'at' });

/**
 * Stores a file that is not up yet, so that it outlives a reload. Answers the id and the key by which its tab finds it again: who
 * has the browser later finds noise. Rejects where the browser has no room or refuses.
 */
export async function storeFile(file: Blob, now = Date.now()): Promise<string> {
  const [id, secret, iv] = [newId(), random(32), random(12)];
  const sealed = await subtleCrypto().encrypt(
    { name: 'AES-GCM', iv },
    await keyOf(secret),
    await file.arrayBuffer(),
  );
  const rows = await table.open('readwrite');
  for (const old of await done(rows.index('at').getAllKeys(IDBKeyRange.upperBound(now - unusedFileLife))))
    rows.delete(old);
  await done(rows.put({ id, at: now, iv, type: file.type, sealed } satisfies SealedFile));
  return `${id} ${[...secret].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** The file again; null where it is not there any more. */
export async function storedFile(stored: string): Promise<Blob | null> {
  const [id = '', secret = ''] = stored.split(' ');
  const row: SealedFile | undefined = await done((await table.open('readonly')).get(id));
  if (!row) return null;
  const key = await keyOf(Uint8Array.from(secret.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
  const bytes = await subtleCrypto().decrypt({ name: 'AES-GCM', iv: row.iv }, key, row.sealed);
  return new Blob([bytes], { type: row.type });
}

/** Removes a file that is up, or is not wanted any more. */
export async function removeFile(stored: string): Promise<void> {
  const [id = ''] = stored.split(' ');
  await done((await table.open('readwrite')).delete(id));
}

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

function keyOf(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return subtleCrypto().importKey('raw', secret, 'AES-GCM', false, ['encrypt', 'decrypt']);
}
