import { jwt } from '@elysiajs/jwt';
import type { Deps } from '../deps.ts';

const ISSUER = 'ute';
const AUDIENCE = 'web';
/** Servers' clocks may differ by this much, in seconds. */
const LEEWAY = 60;

export type TokenClaims = Readonly<{ accountId: string; sessionId: string }>;

export type Tokens = Readonly<{
  /** A bearer token for a session, good until `expiresAt` at the latest. */
  sign(claims: TokenClaims, expiresAt: Date): Promise<string>;
  /** The claims of a token that this server signed for the web and that has not expired; else null. */
  verify(token: string): Promise<TokenClaims | null>;
}>;

/** Signs and checks the web's bearer tokens. Revocation is the session row's business (`authenticate/sessions.ts`). */
export function createTokens(deps: Pick<Deps, 'config' | 'now'>): Tokens {
  const { sign, verify } = jwt({ name: 'webToken', secret: deps.config.keys.token }).decorator.webToken;
  return {
    sign: ({ accountId, sessionId }, expiresAt) =>
      sign({
        iss: ISSUER,
        aud: AUDIENCE,
        sub: accountId,
        jti: sessionId,
        iat: false,
        exp: Math.floor(expiresAt.getTime() / 1000),
      }),
    async verify(token) {
      const claims = await verify(token, {
        algorithms: ['HS256'],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['exp', 'sub', 'jti'],
        clockTolerance: LEEWAY,
        currentDate: deps.now(),
      });
      if (!claims || typeof claims.sub !== 'string' || typeof claims.jti !== 'string') return null;
      return { accountId: claims.sub, sessionId: claims.jti };
    },
  };
}
