import { findSession } from '#api/accounts/sessions.ts';
import type { Deps } from '#api/deps.ts';
import { HttpError } from '#api/http/answers.ts';
import { createChatbotTokens } from '#api/http/auth.ts';
import type { Session } from '#api/http/request-context.ts';

/** Milliseconds; with a minute for clocks that differ, five minutes in all. */
const TOKEN_LIFE = 4 * 60_000;

type TokenDeps = Pick<Deps, 'config' | 'now' | 'db'>;

/** A token that opens the assistant for a few minutes, and nothing else. */
export function mintChatbotToken(deps: TokenDeps, { accountId, id }: Session): Promise<string> {
  const expiresAt = new Date(deps.now().getTime() + TOKEN_LIFE);
  return createChatbotTokens(deps).sign({ accountId, sessionId: id }, expiresAt);
}

/**
 * The living session for which a request's assistant token was made. Throws 401 for any other token: the page then asks for
 * a new one, and learns there whether the session itself has ended.
 */
export function createChatGate(deps: TokenDeps): (headers: Headers) => Promise<Session> {
  const tokens = createChatbotTokens(deps);
  return async (headers) => {
    const token = /^Bearer ([A-Za-z0-9._-]{20,1000})$/i.exec(headers.get('authorization') ?? '')?.[1];
    const claims = token ? await tokens.verify(token) : null;
    const session = claims && (await findSession(deps.db, claims, deps.now()));
    if (!session) throw new HttpError('wrong-credentials', 'This conversation needs to be opened again');
    return session;
  };
}
