import type { Deps } from '#api/deps.ts';
import { invalid } from '#api/http/http-errors.ts';
import { contextOf } from '#api/http/request-context.ts';
import { emailMessage, isEmail, normaliseEmail } from '#core/values/email.ts';
import { countQuestions } from './asked-identities.ts';
import { assertFreeEmail } from './free-identity.ts';
import { decideRegistration, type OpenRegistration } from './open-registration.ts';

/**
 * Makes an email the draft's own, found to be nobody's. Throws 422 for what is none, 409 for one that is signed up, 429
 * for too many different ones.
 */
export function verifyEmail(deps: Deps) {
  const countQuestion = countQuestions(deps);

  return async ({ registrationId }: OpenRegistration, typed: string, request: Request) => {
    const email = normaliseEmail(typed);
    if (!isEmail(email)) throw invalid({ email: emailMessage }, emailMessage);
    const { ip: address } = contextOf(request);
    await countQuestion({ registrationId, kind: 'email', value: email, address });
    await assertFreeEmail(deps, registrationId, email);
    const command = {
      type: 'VerifyRegistrationEmail',
      at: deps.now().toISOString(),
      data: { registrationId, email },
    } as const;
    await decideRegistration(deps, command, { request });
    return email;
  };
}
