import { type } from 'arktype';
import { Elysia } from 'elysia';
import { createConfirmContact, createContactChange } from '#api/accounts/contact/change-contact.ts';
import { contactOf, showContact } from '#api/accounts/contact/contact.ts';
import { voidContactChanges } from '#api/accounts/contact/contact-changes.ts';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { answerLimit, redirectAfterPost } from '#api/http/button-posts.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf } from '#api/http/request-context.ts';
import { confirmEmail, createConfirmationSender } from './email-confirmation.ts';
import { loadAccount } from './load-account.ts';
import { type ProfileDeps, presentProfile, profileOf } from './profile.ts';
import { assertNames, renameAccount } from './rename-account.ts';

const NewEmail = type({ '+': 'reject', email: 'string <= 1000', 'currentPassword?': 'string <= 1000' });
const Token = type({ '+': 'reject', token: 'string <= 1000' });
const Code = type({ '+': 'reject', code: 'string <= 100' });
const Shown = type({ '+': 'reject', 'showEmail?': 'boolean', 'showPhone?': 'boolean' });
const Account = type({
  '+': 'reject',
  'firstName?': 'string <= 1000',
  'lastName?': 'string <= 1000',
  'phone?': 'string <= 100',
  'currentPassword?': 'string <= 1000',
});

/** The request as a confirmation needs it. */
function coming(request: Request) {
  const { ip, id } = contextOf(request);
  return { address: ip, correlation: id };
}

/**
 * PUT /registration/account { firstName?, lastName?, phone?, currentPassword? } → { user, contact } ·
 * GET | PUT /settings/contact { showEmail?, showPhone? } → { contact } · PUT /authenticate/email { email, currentPassword } ·
 * POST /authenticate/email/confirmation → { contact }: sends the welcome mail's link again ·
 * DELETE /authenticate/email, /phone drops what waits · POST /authenticate/email/confirm { token }, signed in or not ·
 * POST /authenticate/phone/code → { contact }: sends another code to the mobile that waits for one ·
 * POST /authenticate/phone/confirm { code } → { user, contact }
 */
export function accountRoutes(deps: Deps) {
  const change = createContactChange(deps);
  const confirm = createConfirmContact(deps);
  const sendConfirmation = createConfirmationSender(deps);
  return new Elysia({ name: 'accounts' })
    .use(auth(deps))
    .put(
      '/registration/account',
      async ({ session, body, request, set }) => {
        const { phone, currentPassword, ...names } = body;
        await assertNames(deps, session, names);
        const { id } = contextOf(request);
        if (phone !== undefined) {
          await change.begin(session, { kind: 'mobile', typed: phone, currentPassword, request });
        }
        const position = await renameAccount(deps, session, names, id);
        const reached = await deps.readSide.waitFor(['accounts'], position);
        if (reached === 'behind') set.headers['x-read-model'] = 'behind';
        return ok({
          user: await freshUser(deps, session.accountId),
          contact: await contactOf(deps, session),
        });
      },
      {
        signedIn: true,
        body: Account,
        detail: operation('Registration', 'finishOnboarding', 'Ends the welcome screen'),
      },
    )
    .get('/settings/contact', async ({ session }) => ok({ contact: await contactOf(deps, session) }), {
      signedIn: true,
      detail: operation('Account', 'getContact', 'Email and mobile, and changes that wait'),
    })
    .put(
      '/settings/contact',
      async ({ session, body, request }) => {
        await showContact(deps, session, body, contextOf(request).id);
        return ok({ contact: await contactOf(deps, session) });
      },
      {
        signedIn: true,
        body: Shown,
        detail: operation('Account', 'changeContact', 'Changes the mobile and what is published'),
      },
    )
    .put(
      '/authenticate/email',
      async ({ session, body: { email: typed, currentPassword }, request }) => {
        await change.begin(session, { kind: 'email', typed, currentPassword, request });
        return ok({ contact: await contactOf(deps, session) });
      },
      {
        signedIn: true,
        body: NewEmail,
        detail: operation('Account', 'changeEmail', 'Starts the change of the email', { statuses: [401] }),
      },
    )
    .post(
      '/authenticate/email/confirmation',
      async ({ session }) => {
        await sendConfirmation(session);
        return ok({ contact: await contactOf(deps, session) });
      },
      {
        signedIn: true,
        body: type({ '+': 'reject' }).or('null'),
        detail: operation(
          'Account',
          'resendEmailConfirmation',
          'Sends the mail that confirms the email again',
        ),
      },
    )
    .delete(
      '/authenticate/email',
      async ({ session }) => {
        await voidContactChanges(deps.db, session.accountId, 'email');
        return ok({ contact: await contactOf(deps, session) });
      },
      {
        signedIn: true,
        detail: operation('Account', 'cancelEmailChange', 'Cancels the change of the email', {
          conflicts: false,
        }),
      },
    )
    .delete(
      '/authenticate/phone',
      async ({ session }) => {
        await voidContactChanges(deps.db, session.accountId, 'mobile');
        return ok({ contact: await contactOf(deps, session) });
      },
      {
        signedIn: true,
        detail: operation('Account', 'cancelPhoneChange', 'Cancels the change of the mobile number', {
          conflicts: false,
        }),
      },
    )
    .post(
      '/authenticate/email/confirm',
      async ({ body, request }) => {
        const { after } = await confirm.byLink(body.token, coming(request));
        return ok({ message: 'Your email was changed', email: after.email });
      },
      {
        body: Token,
        detail: operation('Account', 'confirmEmail', 'Confirms an email by the link of a mail', {
          access: 'open',
        }),
      },
    )
    .post(
      '/authenticate/phone/code',
      async ({ session, request }) => {
        await change.resendCode(session, request);
        return ok({ contact: await contactOf(deps, session) });
      },
      {
        signedIn: true,
        body: type({ '+': 'reject' }).or('null'),
        detail: operation(
          'Account',
          'resendPhoneCode',
          'Sends another code to the mobile number that waits for one',
        ),
      },
    )
    .post(
      '/authenticate/phone/confirm',
      async ({ session, body, request }) => {
        await confirm.byCode(session, body.code.replace(/\s/g, ''), coming(request));
        return ok({
          message: 'Your mobile number was changed',
          user: await freshUser(deps, session.accountId),
          contact: await contactOf(deps, session),
        });
      },
      {
        signedIn: true,
        body: Code,
        detail: operation('Account', 'confirmPhone', 'Confirms a mobile number by its code'),
      },
    );
}

/** The signed-in person as the site's session knows them, with what was just changed: the person from their own stream. */
async function freshUser(deps: ProfileDeps, accountId: string) {
  const profile = await profileOf(deps, accountId);
  const { account } = await loadAccount(deps, accountId);
  const { firstName, lastName, email, phone } = account;
  return presentProfile({ ...profile, user: { firstName, lastName, email, phone } });
}

/**
 * POST /welcome/{token}: the button of the page behind a welcome mail, as a plain form. Leads back to the page by 303, which
 * then says that the address is confirmed. GET only shows, because mail scanners follow links.
 */
export function welcomePages(deps: Deps) {
  const limit = answerLimit(deps);
  return new Elysia({ name: 'welcome-pages' }).post('/welcome/:token', ({ params, request }) =>
    redirectAfterPost(deps, request, async () => {
      await limit(request);
      await confirmEmail(deps, params.token, contextOf(request).id);
    }),
  );
}
