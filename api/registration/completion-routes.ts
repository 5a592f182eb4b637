import { type } from 'arktype';
import { Elysia } from 'elysia';
import { deviceOf } from '#api/authenticate/device.ts';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/envelope.ts';
import { idempotencyKey } from '#api/http/idempotency.ts';
import { businessLookup } from './business-lookup.ts';
import { completeRegistration } from './complete-registration.ts';
import { draftLimiter } from './draft-limits.ts';
import { findRegistration } from './open-registration.ts';
import { noRegistration } from './rid.ts';
import { saveDraft } from './save-draft.ts';
import { DraftBody } from './shapes.ts';
import { signIn } from './sign-in.ts';

/** The first look at a new business is worth a wait, in milliseconds. */
const PATIENCE_MS = 2_000;

/** POST /registration, perhaps with a draft to save before → { user, token }: the account is open and signed in. */
export function completionRoutes(deps: Deps) {
  const lookup = businessLookup(deps);
  const admit = draftLimiter(deps);

  return new Elysia({ name: 'registration-completion', prefix: '/registration' }).post(
    '',
    async ({ body, request, set }) => {
      const found = await findRegistration(deps, request);
      if (!found) throw noRegistration();
      await admit(found.registrationId);
      const key = idempotencyKey(request.headers);
      const isOpen = found.registration.completed === null;
      const registration =
        body && isOpen ? await saveDraft(deps, lookup, found, body, request) : found.registration;
      const { accountId, position } = await completeRegistration(
        deps,
        { ...found, registration },
        key,
        request,
      );
      const shown = await deps.readSide.waitFor(['accounts', 'public-form'], position, PATIENCE_MS);
      if (shown === 'behind') set.headers['x-read-model'] = 'behind';
      return ok(await signIn(deps, accountId, deviceOf(request.headers)));
    },
    { body: type(DraftBody).or('null') },
  );
}
