import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/envelope.ts';
import { countQuestions } from './asked-identities.ts';
import { draftLimiter } from './draft-limits.ts';
import { openRegistrationOf } from './open-registration.ts';
import { sendCode } from './send-code.ts';
import { CodeBody, EmailBody, NoBody, PhoneBody } from './shapes.ts';
import { verifyEmail } from './verify-email.ts';
import { changePhone, verifyCode } from './verify-phone.ts';

/**
 * POST /registration/email/verify { email } → { email } · POST /registration/phone/update { phone } → { phone, phoneVerified } ·
 * POST /registration/sms/send → { phone, resendAfter, expiresIn, codesLeft } · POST /registration/sms/verify { code } → { phone }
 */
export function contactRoutes(deps: Deps) {
  const admit = draftLimiter(deps);
  const checkEmail = verifyEmail(deps);
  const countQuestion = countQuestions(deps);
  const openOf = async (request: Request) => {
    const open = await openRegistrationOf(deps, request);
    await admit(open.registrationId);
    return open;
  };

  return new Elysia({ name: 'registration-contact', prefix: '/registration' })
    .post(
      '/email/verify',
      async ({ body, request }) =>
        ok({ email: await checkEmail(await openOf(request), body.email, request) }),
      { body: EmailBody },
    )
    .post(
      '/phone/update',
      async ({ body, request }) =>
        ok(await changePhone(deps, await openOf(request), body.phone, { request, countQuestion })),
      { body: PhoneBody },
    )
    .post(
      '/sms/send',
      async ({ request }) => ok(await sendCode(deps, await openOf(request), { request, countQuestion })),
      {
        body: NoBody,
      },
    )
    .post(
      '/sms/verify',
      async ({ body, request }) =>
        ok({ phone: await verifyCode(deps, await openOf(request), body.code, request) }),
      { body: CodeBody },
    );
}
