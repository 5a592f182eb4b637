import { normaliseEmail } from '#core/values/email.ts';
import type { Deps } from '../deps.ts';
import { HttpError } from '../http/http-errors.ts';
import { claimKey } from '../registration/claims.ts';
import { findCredential, renewHash } from './credentials.ts';
import { loginLimits } from './login-limits.ts';
import { isOutdated, passwords } from './passwords.ts';
import { createSignIn } from './sign-in.ts';

export type LoginRequest = Readonly<{ email: string; password: string; rememberMe?: boolean }>;

/** From where a login comes: the client's address, and what the browser calls itself. */
export type Visitor = Readonly<{ address: string; device: string }>;

/**
 * Opens a session. A wrong password and an unknown email are one answer, after the same work: 401 'Invalid credentials'.
 */
export function createLogin(deps: Deps) {
  const limits = loginLimits(deps);
  const signIn = createSignIn(deps);

  return async (
    { email: typed, password, rememberMe = true }: LoginRequest,
    { address, device }: Visitor,
  ) => {
    const email = normaliseEmail(typed);
    await limits.admit(email, address);
    const credential = await findCredential(deps.db, claimKey(deps.config, 'email', email));
    const right = await passwords.matches(password, credential?.hash ?? null);
    if (!right || !credential) throw invalidCredentials();
    await limits.forgive(email, address);
    if (isOutdated(credential.hash)) await renewHash(deps.db, credential, await passwords.hash(password));
    const opened = await signIn(credential, { remember: rememberMe, device });
    if (!opened) throw invalidCredentials();
    return opened;
  };
}

function invalidCredentials(): HttpError {
  return new HttpError(401, 'Invalid credentials');
}
