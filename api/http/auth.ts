import { Elysia } from 'elysia';
import type { Clock, Database, Deps, Session, Sessions } from '#api/deps.ts';
import { sessionTimedOut } from './http-errors.ts';
import { contextOf } from './request-context.ts';
import { createTokens } from './tokens.ts';

/** What finding the session of a request takes. */
type Authenticating = Clock & Pick<Database, 'db'> & Sessions & Pick<Deps, 'config'>;

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
