import { type } from 'arktype';
import { Elysia } from 'elysia';
import { presentProfile, profileOf } from '#api/accounts/profile.ts';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf } from '#api/http/request-context.ts';
import { lockedNotificationMessage, type Notifications } from '#core/values/account.ts';
import { regions } from '#core/values/region.ts';
import { businessLookup } from './business-lookup.ts';
import { awaitReadModels, BUSINESS_READ_MODELS } from './change-business.ts';
import { type ChangedProfile, changeProfile, introduceBusiness } from './change-profile.ts';
import { changeNotifications, notificationsOf, sendTestAlert } from './notifications.ts';

/** Longer than any of them may be: such a text is refused unread. */
const text = 'string <= 1000';

/** The `bn` of a profile may come back whole. What the register says of a business is not the browser's to change. */
const Details = type({
  '+': 'reject',
  'bn?': text,
  'tradingName?': text,
  'name?': text,
  'registered?': 'boolean',
  'status?': text,
  'country?': type.enumerated(...regions),
});
const Profile = type({
  '+': 'reject',
  'bn?': Details,
  'firstName?': text,
  'lastName?': text,
  'intro?': 'string <= 4000',
  'onboarding?': 'false',
});
const Intro = type({ '+': 'reject', intro: 'string <= 4000' });

const CHANGES = { name: 'profile-account', points: 60, seconds: 600 };

/**
 * PUT /settings/profile { bn: { bn, tradingName }, firstName, lastName, intro, onboarding: false } → { user } ·
 * PUT /settings/intro { intro } → { details }. What is left out stays as it is.
 */
export function profileRoutes(deps: Deps) {
  const changes = sharedLimiter(deps, CHANGES);
  const { registeredName } = businessLookup(deps);
  return new Elysia({ name: 'settings-profile', prefix: '/settings' })
    .use(auth(deps))
    .put(
      '/profile',
      async ({ session, body, request, set }) => {
        await changes.consume(session.accountId);
        const changed = await changeProfile(
          { ...deps, registeredName },
          session,
          body,
          contextOf(request).id,
        );
        await awaitReadModels(deps, BUSINESS_READ_MODELS, changed.position, set);
        return ok({ user: await userAfter(deps, changed) });
      },
      {
        signedIn: true,
        body: Profile,
        detail: operation('Business', 'changeProfile', 'Changes name and business details'),
      },
    )
    .put(
      '/intro',
      async ({ session, body, request, set }) => {
        await changes.consume(session.accountId);
        const introduced = await introduceBusiness(deps, session, body.intro, contextOf(request).id);
        const { business, position } = introduced;
        await awaitReadModels(deps, BUSINESS_READ_MODELS, position, set);
        return ok({ details: { intro: business.intro } });
      },
      {
        signedIn: true,
        body: Intro,
        detail: operation('Business', 'changeIntro', 'Changes the text under "About us"'),
      },
    );
}

/** The user as the streams have it that were just written, in case the read model is behind. */
async function userAfter(deps: Deps, { account, business }: ChangedProfile) {
  const profile = await profileOf(deps, account.accountId);
  const { firstName, lastName, email, phone, onboarding } = account;
  const { bn, name, tradingName, intro } = business;
  return presentProfile({
    ...{ ...profile, onboarding, bn, name, tradingName, intro },
    user: { firstName, lastName, email, phone },
  });
}

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
      detail: operation('Account', 'getNotifications', 'Which messages the account gets'),
    })
    .put(
      '',
      async ({ session, body, request }) => {
        const { account: _, ...changes } = body;
        return answer(await changeNotifications(deps, session, changes, contextOf(request).id));
      },
      {
        signedIn: true,
        body: Changes,
        detail: operation('Account', 'changeNotifications', 'Changes which messages the account gets'),
      },
    )
    .post(
      '/test',
      async ({ session }) => {
        await limiter.consume(session.accountId);
        return ok({ channels: await sendTestAlert(deps, session) });
      },
      {
        signedIn: true,
        detail: operation('Account', 'testNotifications', 'Sends a test by each channel', {
          conflicts: false,
        }),
      },
    );
}

function answer(notifications: Notifications) {
  return ok({ notifications: { account: true, ...notifications } });
}
