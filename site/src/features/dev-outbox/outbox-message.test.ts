import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkedText } from './outbox-message.ts';

test('a text without an address stays one piece', () => {
  expect(linkedText('Your code is 123456.')).toEqual([{ text: 'Your code is 123456.' }]);
  expect(linkedText('')).toEqual([]);
});

test('an address is a link, and what follows it is not', () => {
  const href = 'http://localhost:4321/reset-password?t=a_b-c';
  expect(linkedText(`Open ${href}.\nThanks`)).toEqual([
    { text: 'Open ' },
    { text: href, href },
    { text: '.\nThanks' },
  ]);
});

test('nothing but http and https becomes a link', () => {
  expect(linkedText('javascript:alert(1) data:text/html,x')).toHaveLength(1);
});

test('no character is lost, whatever the text', () => {
  const words = fc.constantFrom('http://', 'https://a.example/x', ' ', '.', '<b>', '"', '\n', 'é');
  fc.assert(
    fc.property(fc.array(fc.oneof(words, fc.string())), (pieces) => {
      const text = pieces.join('');
      expect(
        linkedText(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(text);
    }),
  );
});
