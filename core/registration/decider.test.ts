import { describe, expect, test } from 'vitest';
import { fold } from '#core/kernel/decider.ts';
import { IllegalTransitionError, NotFoundError } from '#core/kernel/errors.ts';
import { deciderSpec } from '#tests/support/scenarios/deciders.ts';
import {
  areaSet,
  businessIdentified,
  completed,
  emailVerified,
  passwordChosen,
  phoneVerified,
  ready,
  regionChosen,
  started,
  termsAccepted,
  tradesChosen,
  wattle,
} from '#tests/support/scenarios/registration-events.ts';
import { type CompleteRegistration, type RecordMilestones, registrationDecider } from './decider.ts';
import { emptyDraft, noAnswers, type RegistrationDraft } from './draft.ts';
import type { Answers } from './events.ts';

const given = deciderSpec(registrationDecider);
const at = '2026-11-03T01:00:00.000Z';
const registrationId = 'r1';

const record = (draft: RegistrationDraft): RecordMilestones => {
  return { type: 'RecordMilestones', at, data: { registrationId, draft } };
};
const answered = (answers: Partial<Answers>): RegistrationDraft => {
  return { ...emptyDraft, answers: { ...noAnswers, ...answers } };
};
const now = <E extends { data: object }>(event: E, instant: string): E => {
  return { ...event, data: { ...event.data, [instant]: at } };
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

describe('the milestones of a draft', () => {
  test('are each answer of a step that is done, with names on one line, and what was verified', () => {
    given([started])
      .when(record(wattle.draft))
      .then([
        now(regionChosen, 'chosenAt'),
        now(tradesChosen, 'chosenAt'),
        now(businessIdentified, 'identifiedAt'),
        now(areaSet, 'setAt'),
        now(emailVerified, 'verifiedAt'),
        now(phoneVerified, 'verifiedAt'),
        now(passwordChosen, 'chosenAt'),
        now(termsAccepted, 'acceptedAt'),
      ]);
  });

  test('are recorded once: a registration that tells them all tells nothing more of the same draft', () => {
    given(ready).when(record(wattle.draft)).then([]);
  });

  test.each<[string, Partial<Answers>]>([
    ['an email and a mobile that are not verified', { email: 'sam@', phone: '04' }],
    ['a trade without a specialty', { trades: ['plumbing'] }],
    ['a business without a name', { entity: wattle.entity, region: null, tradingName: 'wattle' }],
    ['where the map stood at first', { location: { ...wattle.unset, zoom: 3 } }],
    ['news that are wanted before the terms are accepted', { subscribe: true }],
  ])('are not what is half typed: %s', (_what, answers) => {
    given([started])
      .when(record(answered(answers)))
      .then([]);
  });

  test.each<[string, Partial<Answers>, string]>([
    ['another country', { region: 'nz' }, 'RegistrationRegionChosen'],
    ['another trade', { trades: ['tiling'], specialties: ['tiling-floors'] }, 'RegistrationTradesChosen'],
    ['another name', { firstName: 'Samira' }, 'RegistrationBusinessIdentified'],
    ['another area', { location: { ...wattle.answers.location, radius: 1 } }, 'RegistrationAreaSet'],
    ['no news', { subscribe: false }, 'RegistrationTermsAccepted'],
  ])('are recorded anew with %s', (_what, change, type) => {
    const draft = { ...wattle.draft, answers: { ...wattle.answers, ...change } };
    const events = given(ready).when(record(draft)).decide();
    expect(events.map((event) => event.type)).toEqual([type]);
    given([...ready, ...events])
      .when(record(draft))
      .then([]);
  });

  test('tell the draft again, but for its step, the zoom of the map and how a mobile was typed', () => {
    const { answers } = wattle.draft;
    expect(fold(registrationDecider, ready)?.recorded).toEqual({
      ...wattle.draft,
      step: 0,
      answers: {
        ...answers,
        ...{ tradingName: 'wattle plumbing', firstName: 'Sam', phone: '+61412345678' },
        location: { ...answers.location, zoom: wattle.unset.zoom },
      },
    });
  });
});

describe('completing', () => {
  const complete = (data: Partial<CompleteRegistration['data']> = {}): CompleteRegistration => ({
    ...{ type: 'CompleteRegistration', at },
    data: { ...wattle.completing, draft: wattle.draft, ...data },
  });
  const without = (answers: Partial<Answers>): CompleteRegistration =>
    complete({ draft: { ...wattle.draft, answers: { ...wattle.answers, ...answers } } });

  test('states all that is opened, with names on one line', () => {
    given(ready)
      .when(complete())
      .then([{ ...completed, data: { ...completed.data, completedAt: at } }]);
    given([...ready, completed])
      .when(complete())
      .then([]);
  });

  test('says that the mobile is to be on the public page where it is, and is no milestone before', () => {
    const shown = { ...wattle.draft, answers: { ...wattle.answers, showPhone: true } };
    given(ready).when(record(shown)).then([]);
    given(ready)
      .when(complete({ draft: shown }))
      .then([{ ...completed, data: { ...completed.data, showPhone: true, completedAt: at } }]);
  });

  test.each(ready.map(({ type }, index) => [type, index] as const))(
    'waits for every milestone: without %s it is refused',
    (_type, index) => {
      const decide = given(ready.toSpliced(index, 1)).when(complete()).decide;
      expect(decide).toThrow(index === 0 ? NotFoundError : IllegalTransitionError);
    },
  );

  test('waits for a region, the terms, and what was reserved for it', () => {
    given(ready)
      .when(without({ terms: false }))
      .thenThrows(IllegalTransitionError);
    given(ready)
      .when(without({ region: null }))
      .thenThrows(IllegalTransitionError);
    given(ready)
      .when(complete({ email: 'else@wattle.example' }))
      .thenThrows(IllegalTransitionError);
    given(ready)
      .when(complete({ phone: '+61499999999' }))
      .thenThrows(IllegalTransitionError);
    given(ready)
      .when(complete({ draft: { ...wattle.draft, passwordSet: false } }))
      .thenThrows(IllegalTransitionError);
  });

  test('is refused for a draft that was changed elsewhere at the same moment', () => {
    const draft = { ...wattle.draft, answers: { ...wattle.answers, lastName: 'Okafor-Lee' } };
    const moved = given(ready).when(record(draft)).decide();
    given([...ready, ...moved])
      .when(complete())
      .thenThrows(IllegalTransitionError);
    expect(
      given([...ready, ...moved])
        .when(complete({ draft }))
        .decide(),
    ).toHaveLength(1);
  });

  test('ends it: nothing changes a registration that is over', () => {
    const over = [...ready, completed];
    given(over)
      .when(record({ ...wattle.draft, answers: { ...wattle.answers, region: 'nz' } }))
      .thenThrows(NotFoundError);
    given(over).when(record(wattle.draft)).thenThrows(NotFoundError);
  });
});
