import { createHash, createPublicKey, verify } from 'node:crypto';
import { Point, verify as withCofactor } from '@noble/ed25519';
import { describe, expect, test } from 'vitest';
import { isOfPrimeOrder } from '#tests/support/log/second-curve.ts';
import { PublicKey } from './ed25519.ts';
import { noteSigner, signatureLine } from './note.ts';

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

/** What the code of the runtime says, which is that of OpenSSL and Go. */
function runtime(signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean {
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key]);
  return verify(null, message, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature);
}

const signer = noteSigner('a', new Uint8Array(32).fill(7));
const publicKey = signer.verifier.publicKey.bytes;
const message = Uint8Array.from(Buffer.from('text\n'));
const [, encoded = ''] = signatureLine('text\n', signer, new Date(0)).split(' a ');
const signature = Uint8Array.from(Buffer.from(encoded, 'base64').subarray(4));

test('a signature is right, and one with a bit turned is not, as the runtime finds', () => {
  expect(new PublicKey(publicKey).isRight(signature, message)).toBe(true);
  for (let bit = 0; bit < 512; bit += 1) {
    const turned = signature.slice();
    turned[bit >> 3] = (turned[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(new PublicKey(publicKey).isRight(turned, message), `${bit}`).toBe(false);
    expect(runtime(turned, message, publicKey), `${bit}`).toBe(false);
  }
});

test('the same number in another spelling is wrong: S + L, and R beyond the field', () => {
  const { n: order } = Point.CURVE();
  const s = BigInt(`0x${Buffer.from(signature.slice(32)).reverse().toString('hex')}`) + order;
  const more = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
  expect(new PublicKey(publicKey).isRight(Uint8Array.of(...signature.slice(0, 32), ...more), message)).toBe(
    false,
  );
  const beyond = bytes(`ee${'ff'.repeat(30)}7f`);
  expect(new PublicKey(publicKey).isRight(Uint8Array.of(...beyond, ...new Uint8Array(32)), message)).toBe(
    false,
  );
  for (const length of [0, 63, 65])
    expect(new PublicKey(publicKey).isRight(new Uint8Array(length), message)).toBe(false);
});

/** The eight points of small order, in their canonical spelling and others. */
const small = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000080',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
].map(bytes);

describe('keys by which nothing is signed', () => {
  test('of small order: the runtime takes one signature for every text by them', () => {
    const forAll = bytes(`58${'66'.repeat(31)}01${'00'.repeat(31)}`);
    expect(runtime(forAll, message, small[0] as Uint8Array)).toBe(true);
    for (const key of small) {
      expect(new PublicKey(key).isRight(forAll, message)).toBe(false);
      expect(isOfPrimeOrder(Buffer.from(key))).toBe(false);
    }
  });

  test('with a part of small order: some of their signatures are right to the runtime', () => {
    const order8 = Point.fromBytes(bytes('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'));
    const mixed = Point.fromBytes(publicKey).add(order8).toBytes();
    expect(isOfPrimeOrder(Buffer.from(mixed))).toBe(false);
    expect(isOfPrimeOrder(Buffer.from(publicKey))).toBe(true);
    // A case of "Taming the many EdDSAs", on which checkers differ: key and R both have such a part.
    const [key, text, both] = [
      'cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d',
      '9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79',
      '9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009',
    ].map(bytes) as [Uint8Array, Uint8Array, Uint8Array];
    expect(runtime(both, text, key)).toBe(true);
    expect(new PublicKey(key).isRight(both, text)).toBe(false);
  });

  test('of no point, and beyond the field', () => {
    for (const key of [bytes(`02${'00'.repeat(31)}`), bytes(`f0${'ff'.repeat(30)}7f`)])
      expect(new PublicKey(key).isRight(signature, message)).toBe(false);
  });
});

test('an R with a part of small order is wrong by a sound key, though eight times the equation holds', () => {
  const { n: order } = Point.CURVE();
  const order8 = Point.fromBytes(bytes('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'));
  const sha512 = (...parts: Uint8Array[]) => createHash('sha512').update(Buffer.concat(parts)).digest();
  const numberOf = (little: Uint8Array) => BigInt(`0x${Buffer.from(little).reverse().toString('hex')}`);
  const secret = sha512(signer.seed).subarray(0, 32);
  secret[0] = (secret[0] ?? 0) & 248;
  secret[31] = ((secret[31] ?? 0) & 127) | 64;
  const r = Point.BASE.add(order8).toBytes();
  const s = (1n + numberOf(sha512(r, publicKey, message)) * numberOf(secret)) % order;
  const last = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
  const made = Uint8Array.of(...r, ...last);
  expect(withCofactor(made, message, publicKey, { zip215: false })).toBe(true);
  expect(runtime(made, message, publicKey)).toBe(false);
  expect(new PublicKey(publicKey).isRight(made, message)).toBe(false);
});
