import { describe, expect, test } from 'vitest';
import { IllegalTransitionError, InvalidInputError, NotFoundError } from '#core/kernel/errors.ts';
import { deciderSpec } from '#tests/support/decider-spec.ts';
import {
  answered,
  completed,
  emailVerified,
  passwordChosen,
  phoneVerified,
  ready,
  started,
  wattle,
} from '#tests/support/registration-scenarios.ts';
import type { CompleteRegistration, SaveRegistration } from './commands.ts';
import { registrationDecider } from './decider.ts';
import type { Answers } from './events.ts';

const given = deciderSpec(registrationDecider);
const at = '2026-11-03T01:00:00.000Z';
const registrationId = 'r1';

const save = (
  answers: Partial<Answers>,
  step: number | null = null,
  choosesPassword = false,
): SaveRegistration => ({
  ...{ type: 'SaveRegistration', at },
  data: { registrationId, step, answers, choosesPassword },
});
const verifyPhone = (phone: string) => {
  return { type: 'VerifyRegistrationPhone', at, data: { registrationId, phone } } as const;
};

describe('beginning', () => {
  const start = { type: 'StartRegistration', at, data: { registrationId, plan: 'plus' } } as const;
  test('happens once', () => {
    given([])
      .when(start)
      .then([{ type: 'RegistrationStarted', data: { registrationId, plan: 'plus', startedAt: at } }]);
    given([started]).when(start).then([]);
  });
});

describe('saving', () => {
  test('keeps what was answered, and the step that was gone to', () => {
    given([started])
      .when(save({ region: 'nz' }, 1))
      .then([
        {
          type: 'RegistrationSaved',
          data: { ...answered({ region: 'nz' }, 1).data, location: wattle.unset, savedAt: at },
        },
      ]);
  });

  test('the same again is nothing', () => {
    given([started, answered({ region: 'au' }, 1)])
      .when(save({ region: 'au' }, 1))
      .then([]);
  });

  test('keeps half-typed words, so that Back never fails', () => {
    const half = { email: 'sam@', phone: '04', tradingName: '' };
    expect(given([started]).when(save(half)).decide()).toHaveLength(1);
  });

  test.each<[string, number, Partial<Answers>]>([
    ['trades', 2, {}],
    ['business', 3, { trades: ['plumbing'], specialties: ['plumbing-leaks-and-taps'] }],
    ['everything', 6, wattle.answers],
  ])('no step is skipped: not past the %s', (_what, step, answers) => {
    given([started]).when(save(answers, step)).thenThrows(IllegalTransitionError);
  });

  test('Back is always allowed, also when what came before was undone', () => {
    const history = [started, answered(wattle.answers, 4)];
    expect(
      given(history)
        .when(save({ specialties: [] }, 3))
        .decide(),
    ).toHaveLength(1);
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
  ])('refuses what cannot be kept, by its name: %s', (field, answers) => {
    const decide = given([started]).when(save(answers)).decide;
    expect(decide).toThrow(InvalidInputError);
    expect(decide).toThrow(expect.objectContaining({ fields: { [field]: expect.any(String) } }));
  });

  test('there is no step beyond the last', () => {
    given(ready).when(save({}, 7)).thenThrows(InvalidInputError);
    given(ready).when(save({}, -1)).thenThrows(InvalidInputError);
  });

  test('notes that a password was chosen, once, and nothing of it', () => {
    const chosen = { type: 'RegistrationPasswordChosen', data: { registrationId, chosenAt: at } } as const;
    given([started])
      .when(save({}, null, true))
      .then([chosen]);
    given([started, passwordChosen])
      .when(save({}, null, true))
      .then([]);
  });
});

describe('what is verified', () => {
  const verified = [started, answered(wattle.answers, 4), emailVerified, phoneVerified];

  test('lets the draft go on', () => {
    expect(given(verified).when(save({}, 5)).decide()).toHaveLength(1);
  });

  test.each<[string, Partial<Answers>]>([
    ['another email', { email: 'else@wattle.example' }],
    ['another mobile', { phone: '0412 345 679' }],
    ['another country', { region: 'nz' }],
  ])('is lost with %s, and going back does not return it', (_what, change) => {
    const { email, phone, region } = wattle.answers;
    const history = [...verified, answered({ ...wattle.answers, ...change }, 4), answered(wattle.answers, 4)];
    given(history).when(save({ email, phone, region }, 5)).thenThrows(IllegalTransitionError);
  });

  test('stays while the same is spelled another way', () => {
    const spelled = { ...wattle.answers, email: ' Sam@Wattle.example ', phone: '+61 412 345 678' };
    expect(
      given([...verified, answered(spelled, 4)])
        .when(save({}, 5))
        .decide(),
    ).toHaveLength(1);
  });

  test('is the mobile that the code went to, not the one that stands there now', () => {
    given([started, answered(wattle.answers, 4)])
      .when(verifyPhone('+61412345678'))
      .then([
        {
          type: 'RegistrationPhoneVerified',
          data: { registrationId, phone: '+61412345678', verifiedAt: at },
        },
      ]);
    given([started, answered(wattle.answers, 4)])
      .when(verifyPhone('+61499999999'))
      .thenThrows(IllegalTransitionError);
    given(verified).when(verifyPhone('+61412345678')).then([]);
  });

  test('counts no more for another mobile', () => {
    const change = (phone: string) => {
      return { type: 'ChangeRegistrationPhone', at, data: { registrationId, phone } } as const;
    };
    const [changed] = given(verified).when(change('+61412345679')).decide();
    expect(changed?.type).toBe('RegistrationPhoneChanged');
    given([...verified, ...(changed ? [changed] : [])])
      .when(save({}, 5))
      .thenThrows(IllegalTransitionError);
    given(verified).when(change('+61412345678')).then([]);
  });

  test('an email is verified once', () => {
    const data = { registrationId, email: 'sam@wattle.example' };
    const verify = { type: 'VerifyRegistrationEmail', at, data } as const;
    expect(given([started]).when(verify).decide()).toHaveLength(1);
    given(verified).when(verify).then([]);
  });
});

describe('completing', () => {
  const complete = (data: Partial<CompleteRegistration['data']> = {}): CompleteRegistration => ({
    ...{ type: 'CompleteRegistration', at },
    data: { ...wattle.completing, ...data },
  });

  test('states all that is opened, with names on one line', () => {
    given(ready)
      .when(complete())
      .then([{ ...completed, data: { ...completed.data, completedAt: at } }]);
    given([...ready, completed])
      .when(complete())
      .then([]);
  });

  test.each(ready.map(({ type }, index) => [type, index] as const))(
    'waits for every step: without %s it is refused',
    (_type, index) => {
      const decide = given(ready.toSpliced(index, 1)).when(complete()).decide;
      expect(decide).toThrow(index === 0 ? NotFoundError : IllegalTransitionError);
    },
  );

  test('waits for a region, the terms, and what was held for it', () => {
    const without = (answers: Partial<Answers>) => [...ready, answered({ ...wattle.answers, ...answers }, 6)];
    given(without({ terms: false }))
      .when(complete())
      .thenThrows(IllegalTransitionError);
    given(without({ region: null }))
      .when(complete())
      .thenThrows(IllegalTransitionError);
    given(ready)
      .when(complete({ email: 'else@wattle.example' }))
      .thenThrows(IllegalTransitionError);
    given(ready)
      .when(complete({ phone: '+61499999999' }))
      .thenThrows(IllegalTransitionError);
  });

  test('ends it: nothing changes a registration that is over', () => {
    const over = [...ready, completed];
    given(over)
      .when(save({ region: 'nz' }, 0))
      .thenThrows(NotFoundError);
    given(over).when(verifyPhone('+61412345678')).thenThrows(NotFoundError);
  });
});
