import type { Deps } from '../deps.ts';
import { invalid } from '../http/http-errors.ts';
import { sharedLimiter } from '../http/limits.ts';
import type { Session } from '../http/request-context.ts';
import { type Credential, credentialOf } from './credentials.ts';
import { passwords } from './passwords.ts';

const TRIES = { name: 'owner-check', points: 5, seconds: 15 * 60 };

/**
 * Makes sure that whoever holds a session also knows the password, before anything that could take the account away.
 * Five wrong ones in 15 minutes shut this door to the session: the owner's other sessions keep theirs.
 */
export function createOwnerCheck(deps: Deps) {
  const tries = sharedLimiter(deps, TRIES);

  return async (session: Session, currentPassword: string): Promise<Credential> => {
    await tries.consume(session.id);
    const credential = await credentialOf(deps.db, session.accountId);
    const right = await passwords.matches(currentPassword, credential?.hash ?? null);
    if (!right || !credential) throw invalid({ currentPassword: 'This is not your current password' });
    await tries.reset(session.id);
    return credential;
  };
}

export type OwnerCheck = ReturnType<typeof createOwnerCheck>;
