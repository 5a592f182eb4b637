import { describe, expect, test } from 'vitest';
import { ConflictError, InvalidInputError, NotFoundError } from '#core/kernel/errors.ts';
import { deciderSpec } from '#tests/support/scenarios/deciders.ts';
import { type AccountCommand, accountDecider } from './decider.ts';
import type { AccountEvent } from './events.ts';

const given = deciderSpec(accountDecider);
const at = '2026-11-03T01:00:00.000Z';
const dave = {
  ...{ accountId: 'account-1', businessId: 'acme', email: 'dave@acme.example', phone: '+61491570006' },
  ...{ firstName: 'Dave', lastName: 'Nguyen' },
};
const opened: AccountEvent<'AccountOpened'> = { type: 'AccountOpened', data: { ...dave, openedAt: at } };
const finished: AccountEvent<'OnboardingFinished'> = {
  type: 'OnboardingFinished',
  data: { accountId: 'account-1', finishedAt: at },
};
const open = (data: Partial<typeof dave> = {}): AccountCommand => ({
  ...{ type: 'OpenAccount', at },
  data: { ...dave, ...data },
});
const finish: AccountCommand = { type: 'FinishOnboarding', at, data: { accountId: 'account-1' } };

test('an account is opened once', () => {
  given([]).when(open()).then([opened]);
  given([opened]).when(open()).then([]);
  given([opened, finished]).when(open()).then([]);
});

test('an account of another owner under a taken id is refused', () => {
  given([opened])
    .when(open({ email: 'rangi@example.com' }))
    .thenThrows(ConflictError);
  given([opened])
    .when(open({ businessId: 'rival' }))
    .thenThrows(ConflictError);
});

test.each([
  ['email', 'dave@acme'],
  ['email', 'Dave@Acme.example'],
  ['phone', '0491 570 006'],
  ['phone', '+61391234567'],
  ['firstName', ' '],
  ['lastName', ''],
])('%s %j opens no account, and the refusal says which field', (field, value) => {
  const command = open({ [field]: value });
  given([]).when(command).thenThrows(InvalidInputError);
  expect(refusedFields(command)).toEqual([field]);
});

test('a person is forgotten once, and nothing is written about them after that', () => {
  const erase: AccountCommand = {
    type: 'EraseAccount',
    at,
    data: { accountId: 'account-1', erasureId: 'erasure-1' },
  };
  const erased: AccountEvent = {
    type: 'AccountErased',
    data: { accountId: 'account-1', erasureId: 'erasure-1', erasedAt: at },
  };
  given([opened]).when(erase).then([erased]);
  given([opened, erased]).when(erase).then([]);
  given([]).when(erase).thenThrows(NotFoundError);
  const { accountId } = dave;
  const others: AccountCommand[] = [
    finish,
    open(),
    { type: 'RenameAccount', at, data: { accountId, firstName: 'Rangi', lastName: 'Ngata' } },
    { type: 'ChangeAccountEmail', at, data: { accountId, email: 'rangi@example.com' } },
    { type: 'ChangeAccountPhone', at, data: { accountId, phone: '+61491570157' } },
    { type: 'AwaitEmailConfirmation', at, data: { accountId } },
    { type: 'ConfirmAccountEmail', at, data: { accountId, email: dave.email } },
    { type: 'ChangeNotifications', at, data: { accountId, notifications: { sms: false } } },
  ];
  for (const command of others) given([opened, erased]).when(command).thenThrows(ConflictError);
  const state = [opened, erased].reduce(accountDecider.evolve, accountDecider.initialState);
  expect(JSON.stringify(state)).not.toMatch(/dave|nguyen|570006/i);
});

test('the welcome screen is left once, on every device', () => {
  given([opened]).when(finish).then([finished]);
  given([opened, finished]).when(finish).then([]);
});

test('the welcome screen of an account that is not there is never left', () => {
  given([]).when(finish).thenThrows(NotFoundError);
  given([opened])
    .when({ ...finish, data: { accountId: 'account-2' } })
    .thenThrows(NotFoundError);
});

describe('a change of', () => {
  const changes = [
    [
      'name',
      { type: 'RenameAccount' },
      { type: 'AccountRenamed' },
      { firstName: 'David', lastName: 'Ngata' },
    ],
    ['email', { type: 'ChangeAccountEmail' }, { type: 'AccountEmailChanged' }, { email: 'd@acme.example' }],
    ['phone', { type: 'ChangeAccountPhone' }, { type: 'AccountPhoneChanged' }, { phone: '+61491570156' }],
  ] as const;
  const command = ({ type }: { type: string }, change: object, accountId = 'account-1') =>
    ({ type, at, data: { accountId, ...change } }) as AccountCommand;
  const event = ({ type }: { type: string }, change: object) => {
    const instant = type === 'AccountRenamed' ? { renamedAt: at } : { changedAt: at };
    return { type, data: { accountId: 'account-1', ...change, ...instant } } as AccountEvent;
  };

  test.each(changes)(
    '%s is one event, none when repeated, and another when taken back',
    (_name, commandType, eventType, change) => {
      const before = Object.fromEntries(
        Object.keys(change).map((key) => [key, dave[key as keyof typeof dave]]),
      );
      const changed = event(eventType, change);
      given([opened]).when(command(commandType, change)).then([changed]);
      given([opened]).when(command(commandType, before)).then([]);
      given([opened, changed]).when(command(commandType, change)).then([]);
      given([opened, changed])
        .when(command(commandType, before))
        .then([event(eventType, before)]);
    },
  );

  test.each(changes)('%s needs the account itself', (_name, commandType, _eventType, change) => {
    given([]).when(command(commandType, change)).thenThrows(NotFoundError);
    given([opened])
      .when(command(commandType, change, 'account-2'))
      .thenThrows(NotFoundError);
  });

  test.each([
    [{ type: 'RenameAccount' }, { firstName: '', lastName: 'Ng' }, ['firstName', 'lastName']],
    [{ type: 'ChangeAccountEmail' }, { email: 'Dave@Acme.example' }, ['email']],
    [{ type: 'ChangeAccountPhone' }, { phone: '0491 570 006' }, ['phone']],
  ])('%j to %j is refused by field', (commandType, change, fields) => {
    expect(refusedFields(command(commandType, change), opened)).toEqual(fields);
  });
});

test('a short name that the account was opened with stays while the other one changes', () => {
  const ng: AccountEvent<'AccountOpened'> = {
    type: 'AccountOpened',
    data: { ...opened.data, firstName: 'Jo', lastName: 'Ng' },
  };
  const rename = (firstName: string, lastName: string): AccountCommand => ({
    ...{ type: 'RenameAccount', at },
    data: { accountId: 'account-1', firstName, lastName },
  });
  given([ng]).when(rename('Jo', 'Ng')).then([]);
  given([ng])
    .when(rename('Joanna', 'Ng'))
    .then([
      {
        type: 'AccountRenamed',
        data: { accountId: 'account-1', firstName: 'Joanna', lastName: 'Ng', renamedAt: at },
      },
    ]);
  expect(refusedFields(rename('Al', 'Ng'), ng)).toEqual(['firstName']);
  expect(refusedFields(rename('', 'Ng'), ng)).toEqual(['firstName']);
});

function refusedFields(command: AccountCommand, ...history: AccountEvent[]): string[] {
  try {
    accountDecider.decide(command, history.reduce(accountDecider.evolve, null));
    return [];
  } catch (error) {
    return Object.keys((error as InvalidInputError).fields);
  }
}
