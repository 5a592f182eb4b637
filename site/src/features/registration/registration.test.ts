import { expect, test } from 'vitest';
import { isStepDone } from '#core/values/registration-steps.ts';
import { aRegistration } from './registration.fixture.ts';
import { answersOf, changesOf } from './registration.ts';

const good = 'Correct-horse-7';
const business = { bn: '51824753556', name: 'ACME', tradingName: 'acme', postcode: '7000', status: 'Active' };

test('only what changed is saved, and the step that is gone to', () => {
  expect(changesOf(aRegistration, aRegistration, 1, '')).toEqual({ step: 1 });
  const changed = { ...aRegistration, trades: ['plumbing'], entity: business };
  expect(changesOf(aRegistration, changed, 2, '')).toEqual({
    ...{ step: 2, trades: ['plumbing'] },
    entity: { bn: '51824753556', tradingName: 'acme' },
  });
});

test("what the server alone decides is never sent, nor taken for a change of the user's", () => {
  const verify = {
    ...aRegistration.verify,
    email: 'dave@acme.example',
    emailVerified: true,
    phoneVerified: true,
  };
  expect(changesOf(aRegistration, { ...aRegistration, verify }, 5, '')).toEqual({
    step: 5,
    verify: { email: 'dave@acme.example', phone: '', showPhone: false, subscribe: false, terms: false },
  });
  const flags = { ...aRegistration.verify, emailVerified: true };
  expect(changesOf(aRegistration, { ...aRegistration, verify: flags }, 4, '')).toEqual({ step: 4 });
});

test('a good password goes along, a half-typed one does not', () => {
  expect(changesOf(aRegistration, aRegistration, 6, good)).toMatchObject({ verify: { password: good } });
  expect(changesOf(aRegistration, aRegistration, 4, 'half')).toEqual({ step: 4 });
});

test('the password step is done with a good password or one that is saved, and with the terms', () => {
  const done = (typed: string, passwordSet: boolean, terms = true) =>
    isStepDone(
      5,
      answersOf({ ...aRegistration, verify: { ...aRegistration.verify, passwordSet, terms } }, typed),
    );
  expect([done(good, false), done('', true)]).toEqual([true, true]);
  expect([done('', false), done('half', true), done(good, false, false)]).toEqual([false, false, false]);
});
