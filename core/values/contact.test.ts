import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isEmail, mailLink, maxEmailLength, normaliseEmail } from './contact.ts';

test.each([
  'dave@acmeplumbing.example',
  'a@b.co',
  "o'brien+jobs@mail.example.com.au",
  `${'a'.repeat(64)}@example.com`,
  'x_y-z@xn--bcher-kva.example',
])('%s is an address', (text) => {
  expect(isEmail(text)).toBe(true);
});

test.each([
  ...['', '@', 'dave', 'dave@', '@acme.example', 'dave@acme', 'dave@@acme.example', 'dave@acme.e'],
  ...[
    'da ve@acme.example',
    ' dave@acme.example',
    'dave@acme.example ',
    'dave@acme..example',
    '.d@acme.example',
  ],
  ...['d..d@acme.example', 'd.@acme.example', 'dave@-acme.example', 'dave@acme-.example', 'dave@127.0.0.1'],
  ...['Dave <dave@acme.example>', '"dave"@acme.example', 'a@b.co,c@d.co', 'dave@acme.example\r\nBcc: x@y.zz'],
  ...['dave@аcme.example', 'dave\0@acme.example', `${'a'.repeat(65)}@example.com`],
])('%j is none', (text) => {
  expect(isEmail(text)).toBe(false);
});

test('an address holds at most 254 characters', () => {
  const domain = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}`;
  const address = (length: number) => `${'x'.repeat(length - domain.length - 5)}@${domain}.com`;
  expect(isEmail(address(maxEmailLength))).toBe(true);
  expect(isEmail(address(maxEmailLength + 1))).toBe(false);
});

test('an address is compared without the spaces around it and without capitals', () => {
  expect(normaliseEmail(' Dave@Acme.Example\n')).toBe('dave@acme.example');
});

test.each([
  ['\u202adave@acme.example\u202c', 'dave@acme.example'],
  ['\ufeffda\u00adve@ac\u200bme.example', 'dave@acme.example'],
  ['mailto:Dave@acme.example', 'dave@acme.example'],
  ['\uff44\uff41\uff56\uff45\uff20\uff41\uff43\uff4d\uff45.example', 'dave@acme.example'],
  ['dave@b\u00fccher.example', 'dave@xn--bcher-kva.example'],
  ['dave@bu\u0308cher.example', 'dave@xn--bcher-kva.example'],
  ['dave@B\u00dcCHER.example', 'dave@xn--bcher-kva.example'],
  ['dave@XN--bcher-kva.example', 'dave@xn--bcher-kva.example'],
  ['dave@b\u00fccher\u3002example', 'dave@xn--bcher-kva.example'],
  ['dave@\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444', 'dave@xn--e1afmkfd.xn--p1ai'],
])('%j is compared and stored as %s', (typed, stored) => {
  expect(normaliseEmail(typed)).toBe(stored);
  expect(normaliseEmail(stored)).toBe(stored);
  expect(isEmail(stored)).toBe(true);
});

test.each([
  ...[
    'jos\u00e9@acme.example',
    'dave@b\u00fccher.example/x',
    'dave@b\u00fccher.example:25',
    'dave@\u00fc@acme.example',
  ],
  ...['dave@b\u00fc cher.example', `dave@${'\u00fc'.repeat(300)}.example`, 'dave@%C3%BC.example\u00fc'],
])('%j stays none', (typed) => {
  expect(isEmail(normaliseEmail(typed))).toBe(false);
});

test('ordinary addresses pass in any spelling', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (text) => isEmail(normaliseEmail(text)) || text.length > maxEmailLength),
  );
});

test('a hostile text is refused by its length alone', () => {
  for (const text of [
    'a.'.repeat(50_000),
    `a@${'a-'.repeat(50_000)}`,
    '@'.repeat(100_000),
    'a@'.repeat(50_000),
  ]) {
    expect(isEmail(text)).toBe(false);
  }
});

test.each([
  ['sal+bath@example.com', 'mailto:sal%2Bbath@example.com'],
  ["o'brien@example.com", "mailto:o'brien@example.com"],
  ['a?bcc=b&c#d%40@example.com', 'mailto:a%3Fbcc%3Db%26c%23d%2540@example.com'],
])('a mail link to %s leads to it alone', (email, href) => {
  expect(mailLink(email)).toBe(href);
  expect(new URL(href).search).toBe('');
});
