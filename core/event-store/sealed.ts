import { createCipheriv, createDecipheriv, getRandomValues } from 'node:crypto';

/** AES-256-GCM: what it was bound to (`aad`) must be given again to open it. */
export type Sealed = Readonly<{ iv: Buffer; ct: Buffer; tag: Buffer }>;

export function seal(key: Buffer, plain: Buffer, aad: string): Sealed {
  const iv = getRandomValues(Buffer.alloc(12));
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(aad, 'utf8'));
  const ct = cipher.update(plain);
  // In this mode the end adds no bytes.
  cipher.final();
  return { iv, ct, tag: cipher.getAuthTag() };
}

/** Throws when the key, the bytes or what they were bound to differ. */
export function open(key: Buffer, { iv, ct, tag }: Sealed, aad: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: 16 })
    .setAAD(Buffer.from(aad, 'utf8'))
    .setAuthTag(tag);
  const plain = decipher.update(ct);
  // As above: it only compares the tag.
  decipher.final();
  return plain;
}
