import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  furthestStep,
  isSmsCode,
  isStepDone,
  lastStep,
  maxTrades,
  type StepAnswers,
  stageOf,
  stages,
  stepOf,
  wizardButtons,
} from './registration-steps.ts';

const done: StepAnswers = {
  region: 'au',
  trades: ['plumbing'],
  specialties: ['plumbing-blocked-drains'],
  hasBusiness: true,
  tradingName: 'wattle plumbing',
  firstName: 'Sam',
  lastName: 'Okafor',
  email: 'sam@wattle.example',
  emailVerified: true,
  phone: '0412 345 678',
  phoneVerified: true,
  passwordSet: true,
  terms: true,
};
const nothing: StepAnswers = {
  ...{ region: null, trades: [], specialties: [], hasBusiness: false, tradingName: '', firstName: '' },
  ...{ lastName: '', email: '', emailVerified: false, phone: '', phoneVerified: false },
  ...{ passwordSet: false, terms: false },
};
const step = (name: string) => stepOf(name) as number;

describe('the rules of the steps', () => {
  test.each([
    ['region', {}],
    ['coverage', {}],
  ])('%s can always be left', (stage) => {
    expect(isStepDone(step(stage), nothing)).toBe(true);
  });

  test.each<[string, string, Partial<StepAnswers>]>([
    ['trades', 'no specialty', { specialties: [] }],
    ['trades', 'more than up to 3 trades', { trades: ['a', 'b', 'c', 'd'] }],
    ['bn', 'no business', { hasBusiness: false }],
    ['bn', 'no trading name', { tradingName: ' ' }],
    ['bn', 'an address of a page in the trading name', { tradingName: 'wattle.com.au' }],
    ['bn', 'no first name', { firstName: '' }],
    ['bn', 'no last name', { lastName: '\t' }],
    ['mobile', 'half an email', { email: 'sam@' }],
    ['mobile', 'an email that was not checked', { emailVerified: false }],
    ['mobile', 'a phone of the other country', { region: 'nz' }],
    ['mobile', 'a landline', { phone: '03 9876 5432' }],
    ['mobile', 'a code that did not come back', { phoneVerified: false }],
    ['password', 'no password', { passwordSet: false }],
    ['password', 'terms that were not accepted', { terms: false }],
  ])('%s waits with %s', (stage, _what, answers) => {
    expect(isStepDone(step(stage), done)).toBe(true);
    expect(isStepDone(step(stage), { ...done, ...answers })).toBe(false);
  });
});

const answers: fc.Arbitrary<StepAnswers> = fc.record({
  region: fc.constantFrom('au', 'nz', null),
  trades: fc.array(fc.string(), { maxLength: maxTrades + 2 }),
  specialties: fc.array(fc.string(), { maxLength: 3 }),
  hasBusiness: fc.boolean(),
  tradingName: fc.constantFrom('', 'wattle'),
  firstName: fc.constantFrom('', 'Sam'),
  lastName: fc.constantFrom('', 'Okafor'),
  email: fc.constantFrom('', 'sam@', 'sam@wattle.example'),
  emailVerified: fc.boolean(),
  phone: fc.constantFrom('', '0412', '0412 345 678', '021 123 4567'),
  phoneVerified: fc.boolean(),
  passwordSet: fc.boolean(),
  terms: fc.boolean(),
});
const anyStep = fc.integer({ min: 0, max: lastStep });

test('no applicant gets further than the first step that is not done, and each gets there', () => {
  fc.assert(
    fc.property(fc.oneof(answers, fc.constant(done)), (given) => {
      const furthest = furthestStep(given);
      for (let before = 0; before < furthest; before += 1) expect(isStepDone(before, given)).toBe(true);
      if (furthest < lastStep) expect(isStepDone(furthest, given)).toBe(false);
    }),
  );
  expect(furthestStep(nothing)).toBe(step('trades'));
  expect(furthestStep(done)).toBe(lastStep);
});

describe('Next and Back', () => {
  test('Next only where the step is done, Back everywhere but first, nothing while saving', () => {
    fc.assert(
      fc.property(anyStep, answers, fc.boolean(), (at, given, isSaving) => {
        const buttons = wizardButtons(at, given, isSaving);
        const next = buttons === 'Enabled' || buttons === 'BackDisabled';
        const back = buttons === 'Enabled' || buttons === 'NextDisabled';
        expect(next).toBe(!isSaving && at < lastStep && isStepDone(at, given));
        expect(back).toBe(!isSaving && at > 0);
      }),
    );
  });

  test.each([
    [0, nothing, false, 'BackDisabled'],
    [1, nothing, false, 'NextDisabled'],
    [1, done, false, 'Enabled'],
    [1, done, true, 'Disabled'],
    [lastStep, done, false, 'NextDisabled'],
  ] as const)('step %i', (at, given, isSaving, expected) => {
    expect(wizardButtons(at, given, isSaving)).toBe(expected);
  });
});

test('a step and its page name each other', () => {
  for (const [index, stage] of stages.entries()) {
    expect(stepOf(stage)).toBe(index);
    expect(stageOf(index)).toBe(stage);
  }
  expect(stepOf('payment')).toBeNull();
  expect(stageOf(9)).toBe('region');
});

test('a code has 6 digits', () => {
  expect(isSmsCode('012345')).toBe(true);
  for (const text of ['12345', '1234567', '12 345', '１２３４５６', 'abcdef', ''])
    expect(isSmsCode(text)).toBe(false);
});
