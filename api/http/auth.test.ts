import { beforeEach, expect, test } from 'vitest';
import { createChatbotTokens, createTokens, type Tokens } from './auth.ts';

const claims = { accountId: 'account', sessionId: 'session' };
const expiresAt = new Date('2026-11-24T10:00:00Z');
let now: Date;
let tokens: Tokens;
const deps = { config: { keys: { token: Buffer.alloc(32, 7) } }, now: () => now } as Parameters<
  typeof createTokens
>[0];

beforeEach(() => {
  now = new Date('2026-11-24T09:00:00Z');
  tokens = createTokens(deps);
});

test('a token says the same each time, and nothing any more once it has expired, however often it was checked', async () => {
  const token = await tokens.sign(claims, expiresAt);
  expect(await tokens.verify(token)).toEqual(claims);
  expect(await tokens.verify(token)).toEqual(claims);
  now = new Date('2026-11-24T10:00:59Z');
  expect(await tokens.verify(token)).toEqual(claims);
  now = new Date('2026-11-24T10:01:00Z');
  expect(await tokens.verify(token)).toBeNull();
  // A clock that was put right gives it back.
  now = new Date('2026-11-24T09:59:00Z');
  expect(await tokens.verify(token)).toEqual(claims);
});

test('a token that differs in one letter from one that was checked is refused, and so is it for another audience', async () => {
  const token = await tokens.sign(claims, expiresAt);
  await tokens.verify(token);
  const middle = token.lastIndexOf('.') + 5;
  const forged = token.slice(0, middle) + (token[middle] === 'A' ? 'B' : 'A') + token.slice(middle + 1);
  expect(await tokens.verify(forged)).toBeNull();
  expect(await createChatbotTokens(deps).verify(token)).toBeNull();
});
