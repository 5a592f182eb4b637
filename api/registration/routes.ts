import { type } from 'arktype';
import { Elysia } from 'elysia';
import { countQuestions } from '#api/accounts/contact-budgets.ts';
import { credentialOf } from '#api/accounts/credentials.ts';
import { createSignIn } from '#api/accounts/login.ts';
import { deviceOf } from '#api/accounts/sessions.ts';
import { businessLookup } from '#api/businesses/business-lookup.ts';
import type { Deps } from '#api/deps.ts';
import { ok, unavailable } from '#api/http/answers.ts';
import { idempotencyKey } from '#api/http/idempotency.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf, turnOf } from '#api/http/request-context.ts';
import { DemoRequest } from '#core/demo/decider.ts';
import { stepAnswers } from '#core/registration/draft.ts';
import { planFrom } from '#core/values/product.ts';
import { saveDraft } from './change-draft.ts';
import { completeRegistration } from './complete-registration.ts';
import { draftLimiter } from './drafts.ts';
import {
  causeOf,
  findRegistration,
  noRegistration,
  type OpenRegistration,
  openRegistrationOf,
  type Registration,
} from './load-registration.ts';
import { CodeBody, DraftBody, EmailBody, NoBody, PhoneBody, StartBody } from './request-bodies.ts';
import { requestDemo } from './request-demo.ts';
import { startRegistration } from './start-registration.ts';
import { changePhone, sendCode, verifyCode, verifyEmail } from './verify-contact.ts';

/**
 * POST /registration/tradies { plan } → { rid, registration } · GET → { registration, rid } ·
 * PUT, a draft → { registration }. The secret goes along as `x-rid`.
 */
export function draftRoutes(deps: Deps) {
  const start = startRegistration(deps);
  const lookup = businessLookup(deps);
  const throttle = draftLimiter(deps);

  return new Elysia({ name: 'registration-drafts', prefix: '/registration/tradies' })
    .post(
      '/',
      async ({ body, request }) => {
        const { rid, registration } = await start(planFrom(body?.plan), request);
        return ok({ rid, registration: draftView(rid, registration) });
      },
      {
        body: StartBody,
        detail: operation('Registration', 'startRegistration', 'Starts a registration', {
          access: 'open',
          headers: ['x-bot-check'],
          conflicts: false,
        }),
      },
    )
    .get(
      '/',
      async ({ request }) => {
        const { rid, registration } = await openRegistrationOf(deps, request);
        return ok({ registration: draftView(rid, registration), rid });
      },
      {
        detail: operation('Registration', 'getRegistration', 'The draft', { access: 'registration' }),
      },
    )
    .put(
      '/',
      async ({ body, request }) => {
        const open = await openRegistrationOf(deps, request);
        await throttle(open.registrationId);
        const { registration } = await saveDraft(deps, lookup, open, body, {
          ...causeOf(request),
          turn: turnOf(deps, request),
        });
        return ok({ registration: draftView(open.rid, registration) });
      },
      {
        body: DraftBody,
        detail: operation('Registration', 'changeRegistration', 'Changes the draft', {
          access: 'registration',
        }),
      },
    );
}

/**
 * POST /registration/email/verify { email } → { email } · POST /registration/phone/update { phone } → { phone, phoneVerified } ·
 * POST /registration/sms/send → { phone, resendAfter, expiresIn, codesLeft } · POST /registration/sms/verify { code } → { phone }
 */
export function contactRoutes(deps: Deps) {
  const throttle = draftLimiter(deps);
  const checkEmail = verifyEmail(deps);
  const countQuestion = countQuestions(deps);
  const openOf = async (request: Request) => {
    const open = await openRegistrationOf(deps, request);
    await throttle(open.registrationId);
    return open;
  };

  return new Elysia({ name: 'registration-contact', prefix: '/registration' })
    .post(
      '/email/verify',
      async ({ body, request }) =>
        ok({ email: await checkEmail(await openOf(request), body.email, request) }),
      {
        body: EmailBody,
        detail: operation('Registration', 'verifyEmail', 'Checks an email', { access: 'registration' }),
      },
    )
    .post(
      '/phone/update',
      async ({ body, request }) =>
        ok(await changePhone(deps, await openOf(request), body.phone, { request, countQuestion })),
      {
        body: PhoneBody,
        detail: operation('Registration', 'changeRegistrationPhone', 'Changes the mobile number', {
          access: 'registration',
        }),
      },
    )
    .post(
      '/sms/send',
      async ({ request }) => ok(await sendCode(deps, await openOf(request), { request, countQuestion })),
      {
        body: NoBody,
        detail: operation('Registration', 'sendCode', 'Sends a code by SMS', {
          access: 'registration',
          headers: ['x-bot-check'],
        }),
      },
    )
    .post(
      '/sms/verify',
      async ({ body, request }) =>
        ok({ phone: await verifyCode(deps, await openOf(request), body.code, request) }),
      {
        body: CodeBody,
        detail: operation('Registration', 'verifyCode', 'Checks the code of an SMS', {
          access: 'registration',
        }),
      },
    );
}

/** How long the answer waits until a new business can be read, in milliseconds. */
const VISIBLE_TIMEOUT_MS = 2_000;

/** POST /registration, perhaps with a draft to save before → { user, token }: the account is open and signed in. */
export function completionRoutes(deps: Deps) {
  const lookup = businessLookup(deps);
  const throttle = draftLimiter(deps);
  const signIn = createSignIn(deps);

  /** The draft with its last answers, where some came along; a completed one takes none. */
  async function lastAnswers(found: OpenRegistration, body: DraftBody | null, request: Request) {
    if (body === null || found.registration.completed !== null) return found;
    return saveDraft(deps, lookup, found, body, { ...causeOf(request), turn: turnOf(deps, request) });
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
      await throttle(found.registrationId);
      const key = idempotencyKey(request.headers);
      const ready = await lastAnswers(found, body, request);
      const { accountId, position } = await completeRegistration(deps, ready, key, {
        cause: causeOf(request),
      });
      const shown = await deps.readSide.waitFor(['accounts', 'public-form'], position, VISIBLE_TIMEOUT_MS);
      if (shown === 'behind') set.headers['x-read-model'] = 'behind';
      return ok(await signInto(accountId, request));
    },
    {
      body: type(DraftBody).or('null'),
      detail: operation('Registration', 'completeRegistration', 'Opens account and business', {
        access: 'registration',
        headers: ['idempotency-key'],
      }),
    },
  );
}

/** A draft as the site knows it. There is no password in it: none is stored that could be shown. */
function draftView(rid: string, registration: Registration) {
  const { plan, draft } = registration;
  const { step, answers } = draft;
  const { entity, tradingName, firstName, lastName, email, phone, showPhone, subscribe, terms } = answers;
  const { emailVerified, phoneVerified, passwordSet } = stepAnswers(draft);
  const names = { firstName, lastName };
  return {
    ...{ rid, step, type: plan, complete: false, region: answers.region },
    ...{ trades: answers.trades, specialties: answers.specialties },
    entity: entity && { ...entity, tradingName, ...names },
    user: names,
    location: answers.location,
    verify: { email, emailVerified, phone, phoneVerified, showPhone, passwordSet, subscribe, terms },
  };
}

/**
 * POST /registration/demo { name, businessName, phone, email, reachTime } → { details }: what the visitor may be shown,
 * and nothing of what they typed. Needs the header `x-bot-check` with a ticket of the scope `demo`.
 */
export function demoRoutes(deps: Deps) {
  const take = requestDemo(deps);
  return new Elysia({ name: 'demo', prefix: '/registration' }).post(
    '/demo',
    async ({ body, request }) => {
      // A script filled in the field that people do not see: it is thanked like a prospect.
      if (body.website) deps.logger.info({ event: 'honeypot', id: contextOf(request).id });
      else await take(body, request);
      return ok({ details: { reachTime: body.reachTime } });
    },
    {
      body: DemoRequest,
      detail: operation('Registration', 'requestDemo', 'Asks for a demo', {
        access: 'open',
        headers: ['idempotency-key', 'x-bot-check'],
      }),
    },
  );
}
