/** The browser's cryptography. @throws over plain http, where it has none: then nothing is sealed. */
export function subtleCrypto(): SubtleCrypto {
  const subtle: SubtleCrypto | undefined = crypto.subtle;
  if (!subtle) throw new Error('No https');
  return subtle;
}
