import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/envelope.ts';
import { planFrom } from '#core/values/plan.ts';
import { businessLookup } from './business-lookup.ts';
import { draftLimiter } from './draft-limits.ts';
import { draftView } from './draft-view.ts';
import { openRegistrationOf } from './open-registration.ts';
import { saveDraft } from './save-draft.ts';
import { DraftBody, StartBody } from './shapes.ts';
import { startRegistration } from './start-registration.ts';

/**
 * POST /registration/tradies { plan } → { rid, registration } · GET → { registration, rid } ·
 * PUT, a draft → { registration }. The secret goes along as `x-rid`.
 */
export function draftRoutes(deps: Deps) {
  const start = startRegistration(deps);
  const lookup = businessLookup(deps);
  const admit = draftLimiter(deps);

  return new Elysia({ name: 'registration-drafts', prefix: '/registration/tradies' })
    .post(
      '/',
      async ({ body, request }) => {
        const { rid, registration } = await start(planFrom(body?.plan), request);
        return ok({ rid, registration: draftView(rid, registration) });
      },
      { body: StartBody },
    )
    .get('/', async ({ request }) => {
      const { rid, registration } = await openRegistrationOf(deps, request);
      return ok({ registration: draftView(rid, registration), rid });
    })
    .put(
      '/',
      async ({ body, request }) => {
        const open = await openRegistrationOf(deps, request);
        await admit(open.registrationId);
        const registration = await saveDraft(deps, lookup, open, body, request);
        return ok({ registration: draftView(open.rid, registration) });
      },
      { body: DraftBody },
    );
}
