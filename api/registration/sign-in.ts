import { credentialOf } from '#api/authenticate/credentials.ts';
import { userOf } from '#api/authenticate/profile.ts';
import { openSession } from '#api/authenticate/sessions.ts';
import type { Deps } from '#api/deps.ts';
import { unavailable } from '#api/http/http-errors.ts';
import { createTokens } from '#api/http/tokens.ts';

/** Opens the first session of an account, kept as one is that asks to be. Throws 503 while its password is not there yet. */
export async function signIn(deps: Deps, accountId: string, device: string) {
  const credential = await credentialOf(deps.db, accountId);
  if (!credential) throw unavailable();
  const { businessId, setAt: passwordSetAt } = credential;
  const user = await userOf(deps, accountId);
  const opening = { accountId, businessId, remember: true, device, passwordSetAt };
  const session = await openSession(deps.db, opening, deps.now());
  if (!session) throw unavailable();
  deps.logger.info({ event: 'registered', account: accountId, business: businessId });
  return {
    user,
    token: await createTokens(deps).sign({ accountId, sessionId: session.id }, session.expiresAt),
  };
}
