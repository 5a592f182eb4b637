import { type } from 'arktype';
import { Elysia } from 'elysia';
import { createOwnerCheck } from '#api/accounts/credentials.ts';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf, turnOf } from '#api/http/request-context.ts';
import { createForgotPassword } from './reset-tokens.ts';
import { createChangePassword, createLinkCheck, createResetPassword } from './set-password.ts';

const Forgot = type({ '+': 'reject', email: 'string <= 1000' });
const Reset = type({
  '+': 'reject',
  'token?': 'string <= 1000',
  'code?': 'string <= 1000',
  'user?': 'unknown',
  newPassword: 'string <= 1000',
  confirmPassword: 'string <= 1000',
});
const Link = type({ '+': 'reject', token: 'string <= 1000' });
const Change = type({
  '+': 'reject',
  currentPassword: 'string <= 1000',
  newPassword: 'string <= 1000',
  'confirmPassword?': 'string <= 1000',
});

const SENT = "We've sent you an email with instructions to reset your password. Please check your inbox.";

/**
 * POST /authenticate/forgot-password { email } · POST /authenticate/reset-password { token | code, newPassword,
 * confirmPassword } · PUT /authenticate/security { currentPassword, newPassword, confirmPassword? }; each → { message } ·
 * POST /authenticate/reset-password/check { token }: whether the link still works; it does after it
 */
export function passwordRoutes(deps: Deps) {
  const forgot = createForgotPassword(deps);
  const reset = createResetPassword(deps);
  const checkLink = createLinkCheck(deps);
  const change = createChangePassword(deps, createOwnerCheck(deps));
  return new Elysia({ name: 'passwords', prefix: '/authenticate' })
    .use(auth(deps))
    .post(
      '/forgot-password',
      async ({ body, request }) => {
        await forgot(body.email, contextOf(request).ip);
        return ok({ message: SENT });
      },
      {
        body: Forgot,
        detail: operation('Account', 'requestPasswordReset', 'Sends a link to reset a password', {
          access: 'open',
          headers: ['x-bot-check'],
          conflicts: false,
        }),
      },
    )
    .post(
      '/reset-password',
      async ({ body, request }) => {
        await reset(body, { address: contextOf(request).ip, turn: turnOf(deps, request) });
        return ok({ message: 'Password has been reset successfully' });
      },
      {
        body: Reset,
        detail: operation('Account', 'resetPassword', 'Sets a password by the link of a mail', {
          access: 'open',
          conflicts: false,
        }),
      },
    )
    .post(
      '/reset-password/check',
      async ({ body, request }) => {
        await checkLink(body.token, contextOf(request).ip);
        return ok({});
      },
      {
        body: Link,
        detail: operation('Account', 'checkResetLink', 'Whether the link of a mail still sets a password', {
          access: 'open',
          conflicts: false,
        }),
      },
    )
    .put(
      '/security',
      async ({ session, body, request }) => {
        await change(session, body, request);
        return ok({ message: 'Your password was changed' });
      },
      {
        signedIn: true,
        body: Change,
        detail: operation('Account', 'changePassword', 'Changes the password', { statuses: [401] }),
      },
    );
}
