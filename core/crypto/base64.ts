const symbols = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const plain = `${symbols}+/`;
const forUrls = `${symbols}-_`;

/** Base64 of RFC 4648, section 4, with padding: as signed notes write it. Runs in servers and browsers. */
export function toBase64(bytes: Uint8Array): string {
  return `${encode(bytes, plain)}${'='.repeat((3 - (bytes.length % 3)) % 3)}`;
}

/** The bytes of such a text; null when it is not the one text of some bytes. */
export function fromBase64(text: string): Uint8Array | null {
  try {
    const bytes = Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0));
    return toBase64(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}

/** Base64url of RFC 4648, section 5 without padding: as JSON holds hashes and salts. */
export function toBase64Url(bytes: Uint8Array): string {
  return encode(bytes, forUrls);
}

/** Each append asks for it several times: `btoa` takes ten times as long for 32 bytes. */
function encode(bytes: Uint8Array, alphabet: string): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += 3) {
    const [a = 0, b = 0, c = 0] = [bytes[start], bytes[start + 1], bytes[start + 2]];
    const group = (a << 16) | (b << 8) | c;
    const count = Math.min(bytes.length - start, 3) + 1;
    for (let n = 0; n < count; n += 1) text += alphabet[(group >> (18 - 6 * n)) & 63];
  }
  return text;
}

/** Two hex digits for each byte. */
export function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
