import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

type Work = Readonly<{
  challenge: {
    parameters: { nonce: string; salt: string; cost: number; keyLength: number; keyPrefix: string };
  };
  counterStart: number;
  counterStep: number;
}>;

/** A guess is the nonce and a number of four bytes, the highest first. */
const counterBytes = 4;

// Answers what altcha's own worker answers: the first counter whose key begins as the challenge asks.
self.onmessage = ({ data: { challenge, counterStart, counterStep } }: MessageEvent<Work>) => {
  const { nonce, salt, cost, keyLength, keyPrefix } = challenge.parameters;
  const [start, salted] = [hexToBytes(nonce), hexToBytes(salt)];
  const guess = new Uint8Array(start.length + counterBytes);
  guess.set(start);
  const view = new DataView(guess.buffer);
  for (let counter = counterStart; ; counter += counterStep) {
    view.setUint32(start.length, counter);
    const derivedKey = bytesToHex(pbkdf2(sha256, guess, salted, { c: cost, dkLen: keyLength }));
    if (derivedKey.startsWith(keyPrefix)) {
      self.postMessage({ counter, derivedKey });
      return;
    }
  }
};
