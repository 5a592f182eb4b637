import { hkdfSync } from 'node:crypto';
import { jwt } from '@elysiajs/jwt';
import { LRUCache } from 'lru-cache';
import type { Deps, TokenClaims } from '#api/deps.ts';

const ISSUER = 'ute';
/** Servers' clocks may differ by this much, in seconds. */
const LEEWAY = 60;
/** Tokens whose signature was checked: a session comes with the same one again and again, and its row is asked for each time. */
const CHECKED_TOKENS = 10_000;

export type Tokens = Readonly<{
  /** A bearer token for a session, good until `expiresAt` at the latest. */
  sign(claims: TokenClaims, expiresAt: Date): Promise<string>;
  /** The claims of a token that this server signed for this audience and that has not expired; else null. */
  verify(token: string): Promise<TokenClaims | null>;
}>;

type Surroundings = Pick<Deps, 'config' | 'now'>;

/** Signs and checks the web's bearer tokens. Revocation is the session row's business (`authenticate/sessions.ts`). */
export function createTokens(deps: Surroundings): Tokens {
  return tokensFor('web', deps.config.keys.token, deps.now);
}

/** The assistant's tokens: of a key and an audience of their own, so that neither kind opens what the other does. */
export function createChatbotTokens(deps: Surroundings): Tokens {
  const key = Buffer.from(hkdfSync('sha256', deps.config.keys.token, '', 'ute/chatbot-token', 32));
  return tokensFor('chatbot', key, deps.now);
}

function tokensFor(audience: 'web' | 'chatbot', secret: Buffer, now: () => Date): Tokens {
  const { sign, verify } = jwt({ name: 'token', secret }).decorator.token;
  const checked = new LRUCache<string, Readonly<{ claims: TokenClaims; exp: number }>>({
    max: CHECKED_TOKENS,
  });
  return {
    sign: ({ accountId, sessionId }, expiresAt) =>
      sign({
        iss: ISSUER,
        aud: audience,
        sub: accountId,
        jti: sessionId,
        iat: false,
        exp: Math.floor(expiresAt.getTime() / 1000),
      }),
    async verify(token) {
      const before = checked.get(token);
      if (before && before.exp > Math.floor(now().getTime() / 1000) - LEEWAY) return before.claims;
      const claims = await verify(token, {
        algorithms: ['HS256'],
        issuer: ISSUER,
        audience,
        requiredClaims: ['exp', 'sub', 'jti'],
        clockTolerance: LEEWAY,
        currentDate: now(),
      });
      if (!claims || typeof claims.sub !== 'string' || typeof claims.jti !== 'string') return null;
      const found = { accountId: claims.sub, sessionId: claims.jti };
      if (typeof claims.exp === 'number') checked.set(token, { claims: found, exp: claims.exp });
      return found;
    },
  };
}
