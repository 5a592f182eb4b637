import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto';
import { jwt } from '@elysiajs/jwt';
import { Elysia } from 'elysia';
import { LRUCache } from 'lru-cache';
import type { Clock, Database, Deps, Session, Sessions, TokenClaims } from '#api/deps.ts';
import { sessionTimedOut } from './answers.ts';
import { contextOf } from './request-context.ts';

/** What finding the session of a request takes. */
export type Authenticating = Clock & Pick<Database, 'db'> & Sessions & Pick<Deps, 'config'>;

/**
 * Macro `{ signedIn: true }`: only a living session gets in (else 403), before the body is validated,
 * and the handler's context has `session`. Business and account always come from there, never from the request.
 */
export function auth(deps: Authenticating) {
  const authenticate = createAuthenticator(deps);
  return new Elysia({ name: 'auth' }).macro({
    signedIn: {
      transform: async ({ request }: { request: Request }) => {
        const context = contextOf(request);
        // A gate before a long body may have asked already.
        context.session ??= (await authenticate(request.headers)) ?? undefined;
        if (!context.session) throw sessionTimedOut();
      },
      resolve: ({ request }: { request: Request }): { session: Session } => {
        const { session } = contextOf(request);
        if (!session) throw sessionTimedOut();
        return { session };
      },
    },
  });
}

/** The living session that a request's bearer token names, else null. */
export function createAuthenticator(deps: Authenticating): (headers: Headers) => Promise<Session | null> {
  const tokens = createTokens(deps);
  return async (headers) => {
    const token = /^Bearer ([A-Za-z0-9._-]{20,1000})$/i.exec(headers.get('authorization') ?? '')?.[1];
    const claims = token ? await tokens.verify(token) : null;
    return claims ? deps.findSession(deps.db, claims, deps.now()) : null;
  };
}

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

/** Signs and checks the web's bearer tokens. Revocation is the session row's business (`accounts/sign-in/sessions.ts`). */
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

/** Whether a request carries this very secret as its bearer token. Takes as long for a wrong one as for a right one. */
export function bearsSecret(headers: Headers, secret: string): boolean {
  const given = /^Bearer (\S{1,400})$/i.exec(headers.get('authorization') ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
