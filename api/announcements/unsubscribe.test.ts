import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testConfig } from '#tests/support/app/fixtures.ts';
import { subscriptionNames } from './announcement-text.ts';
import { readUnsubscribeToken, unsubscribeToken, unsubscribeUrl } from './unsubscribe.ts';

const config = testConfig({ PUBLIC_ORIGIN: 'https://jobs.example.com' });
const whose = fc.record({ accountId: fc.uuid(), kind: fc.constantFrom(...subscriptionNames) });

test('a token says whose it is and what of, and is the same each time', () => {
  fc.assert(
    fc.property(whose, (one) => {
      const token = unsubscribeToken(config, one);
      expect(token).toMatch(/^[A-Za-z0-9_-]{44}$/);
      expect(unsubscribeToken(config, one)).toBe(token);
      expect(readUnsubscribeToken(config, token)).toEqual(one);
    }),
  );
});

test('no other text opens anything: one byte changed, another installation, none of ours', () => {
  fc.assert(
    fc.property(whose, fc.nat(32), fc.integer({ min: 1, max: 255 }), (one, at, flip) => {
      const bytes = Buffer.from(unsubscribeToken(config, one), 'base64url');
      bytes[at] = (bytes[at] ?? 0) ^ flip;
      expect(readUnsubscribeToken(config, bytes.toString('base64url'))).toBeNull();
      expect(readUnsubscribeToken(testConfig(), unsubscribeToken(config, one))).toBeNull();
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(readUnsubscribeToken(config, text)).toBeNull();
    }),
  );
});

test('a link outlives a change of the key that signs sessions, and leads to the configured site', () => {
  const one = { accountId: crypto.randomUUID(), kind: 'newsletter' } as const;
  const later = { ...config, keys: { ...config.keys, token: testConfig().keys.token } };
  expect(readUnsubscribeToken(later, unsubscribeToken(config, one))).toEqual(one);
  expect(unsubscribeUrl(config, one)).toMatch(/^https:\/\/jobs\.example\.com\/unsubscribe\/[\w-]{44}$/);
});
