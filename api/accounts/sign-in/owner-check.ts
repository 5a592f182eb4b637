import { passwords } from '#api/accounts/passwords/passwords.ts';
import type { Clock, Deps } from '#api/deps.ts';
import { invalid } from '#api/http/errors.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf, type Session } from '#api/http/request-context.ts';
import { type Credential, credentialOf, emailKeyOf } from './credentials.ts';
import { guessingLimit } from './guessing.ts';

const TRIES = { name: 'owner-check', points: 5, seconds: 15 * 60 };

/**
 * Makes sure that the holder of a session also knows the password, before anything that could take the account away.
 * Five wrong ones in 15 minutes make this check refuse the session: the owner's other sessions keep theirs. Wrong ones count with
 * those of the login: after 20 in an hour it throws 400 with `botCheck` until a ticket comes along.
 */
export function createOwnerCheck(deps: Clock & Pick<Deps, 'config' | 'db' | 'logger' | 'messages'>) {
  const tries = sharedLimiter(deps, TRIES);
  const guessing = guessingLimit(deps);

  return async (session: Session, currentPassword: string, request: Request): Promise<Credential> => {
    // Before anything is counted: of several changes at once the later ones are answered with the first, not of a wrong password.
    const credential = await credentialOf(deps.db, session.accountId);
    const emailKey = await emailKeyOf(deps.db, session.accountId);
    const ticket = request.headers.get('x-bot-check');
    const guess = emailKey && { emailKey, ticket, address: contextOf(request).ip };
    const counted = guess ? await guessing.count(guess) : 0;
    const checkPassword = async () => {
      await tries.consume(session.id);
      return passwords.matches(currentPassword, credential?.hash ?? null);
    };
    // What was refused before the password was checked is no wrong password.
    const right = await checkPassword().catch(async (error: unknown) => {
      if (guess) await guessing.takeBack(guess);
      throw error;
    });
    if (!right || !credential) {
      if (guess) await guessing.wasWrong(guess, counted);
      throw invalid({ currentPassword: 'This is not your current password' });
    }
    if (guess) await guessing.takeBack(guess);
    await tries.reset(session.id);
    return credential;
  };
}

export type OwnerCheck = ReturnType<typeof createOwnerCheck>;
