import { test } from 'vitest';
import { NotFoundError } from '#core/kernel/errors.ts';
import { defaultNotifications, type Notifications } from '#core/values/account.ts';
import { deciderSpec } from '#tests/support/scenarios/deciders.ts';
import { type AccountCommand, accountDecider } from './decider.ts';
import type { AccountEvent } from './events.ts';

const given = deciderSpec(accountDecider);
const at = '2026-11-03T01:00:00.000Z';
const accountId = 'account-1';
const opened: AccountEvent = {
  type: 'AccountOpened',
  data: {
    ...{ accountId, businessId: 'acme', email: 'dave@acme.example', phone: '+61491570006' },
    ...{ firstName: 'Dave', lastName: 'Nguyen', openedAt: at },
  },
};
const turn = (notifications: Partial<Notifications>): AccountCommand => {
  return { type: 'ChangeNotifications', at, data: { accountId, notifications } };
};
const changed = (notifications: Partial<Notifications>): AccountEvent => ({
  type: 'NotificationsChanged',
  data: { accountId, notifications: { ...defaultNotifications, ...notifications }, changedAt: at },
});

test('every notification is on until the tradie turns one off, and the others stay as they are', () => {
  given([opened])
    .when(turn({ sms: false }))
    .then([changed({ sms: false })]);
  given([opened, changed({ sms: false })])
    .when(turn({ newsletter: false }))
    .then([changed({ sms: false, newsletter: false })]);
});

test('what is turned to where it stands is no change', () => {
  given([opened])
    .when(turn({ newsletter: true }))
    .then([]);
  given([opened, changed({ email: false })])
    .when(turn({ email: false }))
    .then([]);
});

test('the notifications of an account that is not there cannot be turned on or off', () => {
  given([])
    .when(turn({ sms: false }))
    .thenThrows(NotFoundError);
});
