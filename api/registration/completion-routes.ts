import { type } from 'arktype';
import { Elysia } from 'elysia';
import { credentialOf } from '#api/authenticate/credentials.ts';
import { deviceOf } from '#api/authenticate/device.ts';
import { createSignIn } from '#api/authenticate/sign-in.ts';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/envelope.ts';
import { unavailable } from '#api/http/http-errors.ts';
import { idempotencyKey } from '#api/http/idempotency.ts';
import { businessLookup } from './business-lookup.ts';
import { completeRegistration } from './complete-registration.ts';
import { draftLimiter } from './draft-limits.ts';
import { findRegistration, type OpenRegistration } from './open-registration.ts';
import { noRegistration } from './rid.ts';
import { saveDraft } from './save-draft.ts';
import { DraftBody } from './shapes.ts';

/** The first look at a new business is worth a wait, in milliseconds. */
const PATIENCE_MS = 2_000;

/** POST /registration, perhaps with a draft to save before → { user, token }: the account is open and signed in. */
export function completionRoutes(deps: Deps) {
  const lookup = businessLookup(deps);
  const admit = draftLimiter(deps);
  const signIn = createSignIn(deps);

  /** The draft with its last answers, where some came along; a completed one takes none. */
  async function lastAnswers(found: OpenRegistration, body: DraftBody | null, request: Request) {
    if (body === null || found.registration.completed !== null) return found;
    return { ...found, registration: await saveDraft(deps, lookup, found, body, request) };
  }

  async function signInto(accountId: string, { headers }: Request) {
    const credential = await credentialOf(deps.db, accountId);
    const opened = credential && (await signIn(credential, { remember: true, device: deviceOf(headers) }));
    if (!opened) throw unavailable();
    deps.logger.info({ event: 'registered', account: accountId });
    return opened;
  }

  return new Elysia({ name: 'registration-completion', prefix: '/registration' }).post(
    '',
    async ({ body, request, set }) => {
      const found = await findRegistration(deps, request);
      if (!found) throw noRegistration();
      await admit(found.registrationId);
      const key = idempotencyKey(request.headers);
      const ready = await lastAnswers(found, body, request);
      const { accountId, position } = await completeRegistration(deps, ready, key, request);
      const shown = await deps.readSide.waitFor(['accounts', 'public-form'], position, PATIENCE_MS);
      if (shown === 'behind') set.headers['x-read-model'] = 'behind';
      return ok(await signInto(accountId, request));
    },
    { body: type(DraftBody).or('null') },
  );
}
