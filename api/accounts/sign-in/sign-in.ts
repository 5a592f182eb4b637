import type { Deps } from '#api/deps.ts';
import { createTokens } from '#api/http/auth.ts';
import type { Credential } from './credentials.ts';
import { userOf } from './profile.ts';
import { openSession } from './sessions.ts';

/** How long the session lasts, and what its owner knows the browser by. */
export type SigningIn = Readonly<{ remember: boolean; device: string }>;

/**
 * Opens a session for the person who just gave, or set, an account's password. Null when that was changed meanwhile. Throws 503
 * while the account is on its way to the read model.
 */
export function createSignIn(deps: Pick<Deps, 'config' | 'db' | 'store' | 'readSide' | 'logger' | 'now'>) {
  const tokens = createTokens(deps);

  return async ({ accountId, businessId, setAt: passwordSetAt }: Credential, signing: SigningIn) => {
    const user = await userOf(deps, accountId);
    const opening = { accountId, businessId, ...signing, passwordSetAt };
    const session = await openSession(deps.db, opening, deps.now());
    if (!session) return null;
    deps.logger.info({ event: 'signed-in', account: accountId, business: businessId });
    return { user, token: await tokens.sign({ accountId, sessionId: session.id }, session.expiresAt) };
  };
}
