import { etc, hash, hashes, Point } from '@noble/ed25519';

import { equalBytes } from './merkle.ts';
import { sha512 } from './sha2.ts';

// One code path in servers and browsers: which WebCrypto knows Ed25519, and on which pages, need not be asked.
hashes.sha512 = sha512;

const SIGNATURE_BYTES = 64;
const { n: ORDER } = Point.CURVE();

/** A key by which signatures are checked. It is looked at itself with the first of them, which takes as long as a signature does. */
export class PublicKey {
  /** Null for a key by which no signature is right. */
  #point: Point | null | undefined;

  /** @param bytes 32, of which nothing is known yet */
  constructor(readonly bytes: Uint8Array) {}

  /**
   * Whether a signature of 64 bytes is one of a message by this key: RFC 8032, section 5.1.7 without the cofactor, which is what OpenSSL
   * and Go compute. By a key with a part of small order none is: such a key fits signatures that were never made with it, and checkers
   * differ about them.
   */
  isRight(signature: Uint8Array, message: Uint8Array): boolean {
    if (signature.length !== SIGNATURE_BYTES) return false;
    if (this.#point === undefined) this.#point = pointOf(this.bytes);
    const [r, s] = [signature.slice(0, 32), littleEndian(signature.slice(32))];
    if (!this.#point || s >= ORDER) return false;
    const k = etc.mod(littleEndian(hash(Uint8Array.of(...r, ...this.bytes, ...message))), ORDER);
    const computed = Point.BASE.multiply(s, false).subtract(this.#point.multiply(k, false));
    return equalBytes(computed.toBytes(), r);
  }
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
