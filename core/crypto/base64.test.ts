import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromBase64, toBase64, toBase64Url } from './base64.ts';

test('any bytes are written as other encoders write them, and come back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
      expect(toBase64Url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
      expect(fromBase64(toBase64(bytes))).toEqual(bytes);
    }),
  );
});

test.each(['=', 'A', 'AA', 'AB==', 'AA=', 'A A=', 'AA==\n', '-_==', 'é==='])(
  '%j is the text of no bytes',
  (text) => {
    expect(fromBase64(text)).toBeNull();
  },
);
