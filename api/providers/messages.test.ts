import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mailOf } from '#api/outbox/mail-layout.ts';
import { MessageRefusedError } from './http-client.ts';
import type { Mail } from './messages.ts';
import { sendableMail, sendableSms } from './messages.ts';

const mail: Mail = mailOf({
  to: 'dave@acme.example',
  subject: 'New job: Māori café ✓',
  heading: 'New job',
  paragraphs: ['A tap leaks.'],
  why: 'You asked for it.',
});

test('a mail to one person in one line each is itself', () => {
  const whole = { ...mail, replyTo: 'a@b.example', headers: { 'List-Unsubscribe': '<https://x.example/u>' } };
  expect(sendableMail(whole)).toBe(whole);
});

describe('refused is', () => {
  test.each<[string, Partial<Mail>]>([
    ['a second header in a subject', { subject: 'Hello\r\nBcc: evil@x.example' }],
    ['a line feed alone', { subject: 'Hello\nBcc: evil@x.example' }],
    ['a line separator', { subject: 'Hello\u2028Bcc: evil@x.example' }],
    ['an endless subject', { subject: 'x'.repeat(901) }],
    ['no subject', { subject: ' ' }],
    ['a second recipient', { to: 'dave@acme.example, evil@x.example' }],
    ['a recipient with a header', { to: 'dave@acme.example\r\nBcc: evil@x.example' }],
    ['a recipient with a name', { to: 'Dave <dave@acme.example>' }],
    ['nobody', { to: '' }],
    ['an answer to two', { replyTo: 'a@b.example,evil@x.example' }],
    ['a further header of ours', { headers: { Bcc: 'evil@x.example' } }],
    ['a further header of two lines', { headers: { 'X-Kind': 'a\r\nBcc: evil@x.example' } }],
    ['a further header that is none', { headers: { 'X-Kind: a\r\nBcc': 'evil@x.example' } }],
    ['an attachment in a folder', { attachments: [{ name: '../checkpoint.txt', text: 'x' }] }],
    ['an attachment of another kind', { attachments: [{ name: 'checkpoint.html', text: 'x' }] }],
    ['an attachment of a book', { attachments: [{ name: 'book.txt', text: 'x'.repeat(16_385) }] }],
    ['half a character', { text: 'Hello \ud800' }],
  ])('%s', (_what, change) => {
    expect(() => sendableMail({ ...mail, ...change })).toThrow(MessageRefusedError);
  });

  test.each(['+8821612345678', '+61190012345', '+611300123456', '0491570156', '+14155550100', ''])(
    'an SMS to %s',
    (to) => {
      expect(() => sendableSms({ to, text: 'Hello' })).toThrow(MessageRefusedError);
    },
  );

  test('an SMS of nothing, or of a book', () => {
    expect(() => sendableSms({ to: '+61491570156', text: ' ' })).toThrow(MessageRefusedError);
    expect(() => sendableSms({ to: '+61491570156', text: 'x'.repeat(1_531) })).toThrow(MessageRefusedError);
  });
});

test('whatever stands in a heading or a paragraph, a subject is one line and the HTML holds no tag of it', () => {
  const hostile = fc.constantFrom(
    '\r\nBcc: evil@x.example',
    '<script>',
    '"><img src=x onerror=1>',
    '\u2028',
    '&amp;',
  );
  const text = fc.array(fc.oneof(hostile, fc.string()), { minLength: 1 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, (words) => {
      const { subject, html } = mailOf({
        ...mail,
        subject: `x${words}`,
        heading: words,
        paragraphs: [words],
        why: words,
      });
      expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      expect(html).not.toMatch(/<(script|img)/);
    }),
  );
});
