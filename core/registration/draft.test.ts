import { describe, expect, test } from 'vitest';
import { IllegalTransitionError, InvalidInputError } from '#core/kernel/errors.ts';
import { wattle } from '#tests/support/scenarios/registration-events.ts';
import {
  changePhone,
  emptyDraft,
  isSame,
  noAnswers,
  type RegistrationDraft,
  saveAnswers,
  verifyEmail,
  verifyPhone,
} from './draft.ts';
import type { Answers } from './events.ts';

const save = (
  draft: RegistrationDraft,
  answers: Partial<Answers>,
  step: number | null = null,
  choosesPassword = false,
) => saveAnswers(draft, { step, answers, choosesPassword });
/** The draft with all of these answers, at that step. */
const answered = (answers: Partial<Answers>, step: number): RegistrationDraft => {
  return { ...emptyDraft, step, answers: { ...noAnswers, ...answers } };
};

describe('saving', () => {
  test('keeps what was answered, and the step that was gone to', () => {
    expect(save(emptyDraft, { region: 'nz' }, 1)).toEqual(answered({ region: 'nz' }, 1));
  });

  test('the same again is the same draft', () => {
    const draft = answered({ region: 'au' }, 1);
    expect(isSame(save(draft, { region: 'au' }, 1), draft)).toBe(true);
    expect(isSame(save(draft, { region: 'nz' }, 1), draft)).toBe(false);
  });

  test('keeps half-typed words, so that Back never fails', () => {
    const half = { email: 'sam@', phone: '04', tradingName: '' };
    expect(save(emptyDraft, half).answers).toMatchObject(half);
  });

  test.each<[string, number, Partial<Answers>]>([
    ['trades', 2, {}],
    ['business', 3, { trades: ['plumbing'], specialties: ['plumbing-leaks-and-taps'] }],
    ['everything', 6, wattle.answers],
  ])('no step is skipped: not past the %s', (_what, step, answers) => {
    expect(() => save(emptyDraft, answers, step)).toThrow(IllegalTransitionError);
  });

  test('Back is always allowed, also when what came before was undone', () => {
    expect(save(answered(wattle.answers, 4), { specialties: [] }, 3).step).toBe(3);
  });

  test.each<[string, Partial<Answers>]>([
    ['trades', { trades: ['plumbing', 'tiling', 'roofing', 'painting'] }],
    ['trades', { trades: ['wizardry'] }],
    ['trades', { trades: ['plumbing', 'plumbing'] }],
    ['specialties', { trades: ['tiling'], specialties: ['plumbing-leaks-and-taps'] }],
    ['entity.bn', { entity: { ...wattle.entity, bn: '51824753557' } }],
    ['entity.bn', { entity: { ...wattle.entity, registered: false } }],
    ['location', { location: { ...wattle.unset, radius: 100_001 } }],
    ['location', { location: { ...wattle.unset, lat: 91 } }],
    ['entity.tradingName', { tradingName: 'x'.repeat(101) }],
    ['user.firstName', { firstName: 'x'.repeat(101) }],
    ['verify.email', { email: 'x'.repeat(255) }],
  ])('refuses what cannot be stored, by its name: %s', (field, answers) => {
    const decide = () => save(emptyDraft, answers);
    expect(decide).toThrow(InvalidInputError);
    expect(decide).toThrow(expect.objectContaining({ fields: { [field]: expect.any(String) } }));
  });

  test('there is no step beyond the last', () => {
    expect(() => save(wattle.draft, {}, 7)).toThrow(InvalidInputError);
    expect(() => save(wattle.draft, {}, -1)).toThrow(InvalidInputError);
  });

  test('notes that a password was chosen, and nothing of it', () => {
    expect(save(emptyDraft, {}, null, true)).toEqual({ ...emptyDraft, passwordSet: true });
    expect(save(save(emptyDraft, {}, null, true), {}).passwordSet).toBe(true);
  });
});

describe('what is verified', () => {
  const verified: RegistrationDraft = { ...wattle.draft, step: 4, passwordSet: false };

  test('lets the draft go on', () => {
    expect(save(verified, {}, 5).step).toBe(5);
  });

  test.each<[string, Partial<Answers>]>([
    ['another email', { email: 'else@wattle.example' }],
    ['another mobile', { phone: '0412 345 679' }],
    ['another country', { region: 'nz' }],
  ])('is lost with %s, and going back does not return it', (_what, change) => {
    const { email, phone, region } = wattle.answers;
    const back = save(save(verified, change), { email, phone, region });
    expect(() => save(back, {}, 5)).toThrow(IllegalTransitionError);
  });

  test('stays while the same is spelled another way', () => {
    const spelled = { email: ' Sam@Wattle.example ', phone: '+61 412 345 678' };
    expect(save(save(verified, spelled), {}, 5).step).toBe(5);
  });

  test('is the mobile that the code went to, not the one that stands there now', () => {
    const draft = answered(wattle.answers, 4);
    expect(verifyPhone(draft, '+61412345678')).toEqual({ ...draft, verifiedPhone: '+61412345678' });
    expect(() => verifyPhone(draft, '+61499999999')).toThrow(IllegalTransitionError);
    expect(verifyPhone(verified, '+61412345678')).toEqual(verified);
  });

  test('counts no more for another mobile', () => {
    const changed = changePhone(verified, '+61412345679');
    expect(changed.answers.phone).toBe('+61412345679');
    expect(() => save(changed, {}, 5)).toThrow(IllegalTransitionError);
    expect(changePhone(verified, '+61412345678')).toBe(verified);
  });

  test('an email is verified once, and is the one of the draft then', () => {
    const draft = verifyEmail(answered({ email: 'sam@' }, 4), 'sam@wattle.example');
    expect(draft).toMatchObject({
      answers: { email: 'sam@wattle.example' },
      verifiedEmail: 'sam@wattle.example',
    });
    expect(verifyEmail(draft, 'sam@wattle.example')).toBe(draft);
  });
});
