import { isOutdated, passwords } from '#api/accounts/passwords/passwords.ts';
import { reservationKey } from '#api/accounts/reservations.ts';
import type { Clock, Deps } from '#api/deps.ts';
import { HttpError } from '#api/http/errors.ts';
import { normaliseEmail } from '#core/values/contact.ts';
import { findCredential, renewHash } from './credentials.ts';
import { type Guess, guessingLimit } from './guessing.ts';
import { loginLimits } from './login-limits.ts';
import { createSignIn } from './sign-in.ts';

export type LoginRequest = Readonly<{ email: string; password: string; rememberMe?: boolean }>;

/** From where a login comes: the client's address, what the browser calls itself, and the ticket of a bot check, if any. */
export type Visitor = Readonly<{ address: string; device: string; ticket: string | null }>;

/**
 * Opens a session. A wrong password and an unknown email are one answer, after the same work: 401 'Invalid credentials'. After many
 * wrong ones for that email, from wherever they came, 400 with `botCheck` until a ticket comes along.
 */
export function createLogin(
  deps: Clock & Pick<Deps, 'config' | 'db' | 'store' | 'readSide' | 'logger' | 'messages'>,
) {
  const limits = loginLimits(deps);
  const guessing = guessingLimit(deps);
  const signIn = createSignIn(deps);

  /** What was refused before the password was checked is no wrong password. */
  async function unlessRefused<T>(guess: Guess, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await guessing.takeBack(guess);
      throw error;
    }
  }

  return async (
    { email: typed, password, rememberMe = true }: LoginRequest,
    { address, device, ticket }: Visitor,
  ) => {
    const email = normaliseEmail(typed);
    const emailKey = reservationKey(deps.config, 'email', email);
    const guess = { emailKey, ticket, address };
    const counted = await guessing.count(guess);
    const credential = await unlessRefused(guess, async () => {
      await limits.throttle(email, address);
      return findCredential(deps.db, emailKey);
    });
    const right = await unlessRefused(guess, () => passwords.matches(password, credential?.hash ?? null));
    if (!right || !credential) {
      await guessing.wasWrong(guess, counted);
      throw invalidCredentials();
    }
    await guessing.takeBack(guess);
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
