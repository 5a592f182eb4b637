import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { auth } from '#api/http/auth.ts';
import { ok } from '#api/http/errors.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf } from '#api/http/request-context.ts';
import { lockedNotificationMessage, type Notifications } from '#core/values/account.ts';
import { changeNotifications, notificationsOf, sendTestAlert } from './notifications.ts';

const AlwaysOn = type('unknown').narrow(
  (on, ctx): on is true => on === true || ctx.reject({ message: lockedNotificationMessage }),
);

const Changes = type({
  '+': 'reject',
  'account?': AlwaysOn,
  'jobEnquiries?': 'boolean',
  'simpleContacts?': 'boolean',
  'email?': 'boolean',
  'sms?': 'boolean',
  'productUpdates?': 'boolean',
  'newsletter?': 'boolean',
  'weeklyRecord?': 'boolean',
});

/** An alert costs an SMS: so many in ten minutes. */
const TESTS = { name: 'test-alert', points: 5, seconds: 600 };

/**
 * GET /settings/notifications → { notifications } · PUT any of them → { notifications } · POST …/test → { channels: {
 * email, sms } }, each { outcome: 'sent' | 'failed' | 'off', to, message }. `account` is true and stays true.
 */
export function notificationRoutes(deps: Deps) {
  const limiter = sharedLimiter(deps, TESTS);
  return new Elysia({ name: 'notifications', prefix: '/settings/notifications' })
    .use(auth(deps))
    .get('', async ({ session }) => answer(await notificationsOf(deps, session.accountId)), {
      signedIn: true,
    })
    .put(
      '',
      async ({ session, body, request }) => {
        const { account: _, ...changes } = body;
        return answer(await changeNotifications(deps, session, changes, contextOf(request).id));
      },
      { signedIn: true, body: Changes },
    )
    .post(
      '/test',
      async ({ session }) => {
        await limiter.consume(session.accountId);
        return ok({ channels: await sendTestAlert(deps, session) });
      },
      { signedIn: true },
    );
}

function answer(notifications: Notifications) {
  return ok({ notifications: { account: true, ...notifications } });
}
