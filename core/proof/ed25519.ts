import { etc, hash, hashes, Point } from '@noble/ed25519';

import { equalBytes } from './merkle.ts';
import { sha512 } from './sha2.ts';

// One code path in servers and browsers: which WebCrypto knows Ed25519, and on which pages, need not be asked.
hashes.sha512 = sha512;

const SIGNATURE_BYTES = 64;
const { n: ORDER } = Point.CURVE();

/** What is known of a key is looked at once: it takes as long as a signature. Null for one that no signature is right by. */
const points = new WeakMap<Uint8Array, Point | null>();

/**
 * Whether a signature of 64 bytes is right: RFC 8032, section 5.1.7 without the cofactor, which is what OpenSSL and Go compute. By a key
 * with a part of small order none is: such a key fits signatures that were never made with it, and checkers differ about them.
 */
export function isSignatureRight(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  let key = points.get(publicKey);
  if (key === undefined) points.set(publicKey, (key = pointOf(publicKey)));
  const [r, s] = [signature.slice(0, 32), littleEndian(signature.slice(32))];
  if (!key || s >= ORDER) return false;
  const k = etc.mod(littleEndian(hash(Uint8Array.of(...r, ...publicKey, ...message))), ORDER);
  const computed = Point.BASE.multiply(s, false).subtract(key.multiply(k, false));
  return equalBytes(computed.toBytes(), r);
}

function pointOf(publicKey: Uint8Array): Point | null {
  try {
    const point = Point.fromBytes(publicKey);
    return !point.is0() && point.isTorsionFree() ? point : null;
  } catch {
    return null;
  }
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${etc.bytesToHex(bytes.toReversed())}`);
}
