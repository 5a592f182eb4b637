import { expect, test } from 'vitest';
import { fold } from '#core/kernel/decider.ts';
import { InvalidInputError, NotFoundError } from '#core/kernel/errors.ts';
import { evolveChoices, type FormChoices, formOf } from '#projections/public-form/projection.ts';
import { deciderSpec } from '#tests/support/scenarios/deciders.ts';
import { enquiryFormDecider } from './decider.ts';
import type { EnquiryFormEvent } from './events.ts';
import { questionsOfTrade } from './standard-questions.ts';
import { publicQuestions } from './state.ts';

const given = deciderSpec(enquiryFormDecider);
const at = '2026-11-03T01:00:00.000Z';
const businessId = 'acme';
const opened: EnquiryFormEvent = {
  type: 'EnquiryFormOpened',
  data: { businessId, trades: ['plumbing', 'roofing'], openedAt: at },
};
const own: EnquiryFormEvent = {
  type: 'QuestionAdded',
  data: { businessId, questionId: 'q-1', trade: 'roofing', question: 'Slate or tin?', seq: 9, addedAt: at },
};
const changed = (...trades: string[]): EnquiryFormEvent => ({
  type: 'TradesChanged',
  data: { businessId, trades, changedAt: at },
});
const change = (...trades: string[]) => ({ type: 'ChangeTrades', at, data: { businessId, trades } }) as const;

test('trades are changed once, to one at least and three at most of those that are offered', () => {
  given([opened])
    .when(change('tiling'))
    .then([changed('tiling')]);
  given([opened, changed('tiling')])
    .when(change('tiling'))
    .then([]);
  given([opened])
    .when(change('roofing', 'plumbing'))
    .then([changed('roofing', 'plumbing')]);
  for (const wrong of [[], ['alchemy'], ['tiling', 'tiling'], ['tiling', 'roofing', 'plumbing', 'solar']])
    given([opened])
      .when(change(...wrong))
      .thenThrows(InvalidInputError);
  given([]).when(change('tiling')).thenThrows(NotFoundError);
});

test('a trade that is not offered any more stays where it was', () => {
  const old = { ...opened, data: { ...opened.data, trades: ['alchemy'] } } as EnquiryFormEvent;
  given([old])
    .when(change('alchemy', 'tiling'))
    .then([changed('alchemy', 'tiling')]);
});

test('questions of a trade that was left rest, and come back with it as they were', () => {
  const [first] = questionsOfTrade('roofing');
  const off: EnquiryFormEvent = {
    type: 'QuestionDisabled',
    data: { businessId, questionId: first?.id ?? '', disabledAt: at },
  };
  const before = fold(enquiryFormDecider, [opened, own, off]);
  const without = fold(enquiryFormDecider, [opened, own, off, changed('plumbing')]);
  expect(without?.questions.some(({ trade }) => trade === 'roofing')).toBe(false);
  given([opened, own, off, changed('plumbing')])
    .when({ type: 'EnableQuestion', at, data: { businessId, questionId: 'q-1' } })
    .thenThrows(NotFoundError);
  const again = fold(enquiryFormDecider, [
    opened,
    own,
    off,
    changed('plumbing'),
    changed('plumbing', 'roofing'),
  ]);
  expect(publicQuestions(again)).toEqual(publicQuestions(before));
});

test('the read model asks what the log asks, whichever trades were left and taken up', () => {
  const history = [
    opened,
    own,
    changed('tiling'),
    changed('roofing', 'solar'),
    changed('roofing', 'plumbing'),
  ];
  let choices: FormChoices | undefined;
  for (const [index, event] of history.entries()) {
    choices = evolveChoices(choices, event);
    const logged = fold(enquiryFormDecider, history.slice(0, index + 1));
    expect(choices && publicQuestions(formOf(businessId, choices))).toEqual(publicQuestions(logged));
    expect(choices && formOf(businessId, choices)?.trades).toEqual(logged?.trades);
  }
});
