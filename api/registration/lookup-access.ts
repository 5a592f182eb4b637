import type { Deps } from '#api/deps.ts';
import { HttpError, sessionTimedOut } from '#api/http/answers.ts';
import { type Authenticating, createAuthenticator } from '#api/http/auth.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { findRegistration, type LoadingDeps } from './load-registration.ts';

/** As many lookups as a person can type: some registers and maps are paid by the call. */
const LOOKUPS = { name: 'registration-lookups', points: 300, seconds: 600 };

type LookupDeps = Authenticating & LoadingDeps & Pick<Deps, 'config' | 'db'>;

/**
 * Accepts a request of a registration (`x-rid`) or a session (bearer), and counts it. Throws 401 for neither, 403 for a session
 * that is over, 429 for too much.
 */
export function lookupAccess(deps: LookupDeps): (request: Request) => Promise<void> {
  const authenticate = createAuthenticator(deps);
  const limiter = sharedLimiter(deps, LOOKUPS);

  return async (request) => {
    const { headers } = request;
    const found = await findRegistration(deps, request);
    if (found?.registration.completed === null) return limiter.consume(found.registrationId);
    const session = await authenticate(headers);
    if (session) return limiter.consume(session.businessId);
    if (headers.has('authorization')) throw sessionTimedOut();
    throw new HttpError('wrong-credentials', 'Start your registration first, or log in');
  };
}
