import { expect, test } from 'vitest';
import { uuidV5 } from './uuid.ts';

const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

test('the example of RFC 9562', () => {
  expect(uuidV5(dns, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
});

test('a name in any script has an id, the same each time', () => {
  expect(uuidV5(dns, 'Ngāti 👷')).toBe(uuidV5(dns, 'Ngāti 👷'));
  expect(uuidV5(dns, 'Ngāti 👷')).not.toBe(uuidV5(dns, 'Ngati 👷'));
});

test('a namespace that is no UUID is refused', () => {
  expect(() => uuidV5('seed', 'name')).toThrow(RangeError);
});
