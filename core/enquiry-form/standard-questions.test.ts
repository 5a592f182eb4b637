import { describe, expect, test } from 'vitest';
import { fold } from '#core/kernel/decider.ts';
import { consumerFields } from '#core/values/job-form.ts';
import { maxTrades } from '#core/values/registration-steps.ts';
import { trades } from '#core/values/trade-catalogue.ts';
import { tradeQuestions } from '#core/values/trade-questions.ts';
import { enquiryFormDecider, maxQuestions } from './decider.ts';
import { questionsOfTrade, standardQuestions } from './standard-questions.ts';
import { publicQuestions } from './state.ts';

const opened = {
  type: 'EnquiryFormOpened',
  data: { businessId: 'acme', trades: [], openedAt: '2026-11-03T01:00:00.000Z' },
} as const;

test('every detail of a consumer job has exactly one question', () => {
  const asked = standardQuestions.flatMap(({ field }) => (field === null ? [] : [field]));
  expect(asked.toSorted()).toEqual([...consumerFields].toSorted());
});

test('a new form asks for home type and pets', () => {
  expect(publicQuestions(fold(enquiryFormDecider, [opened]))).toEqual([
    {
      ...{ id: 'home-type', title: 'Home type', description: null, kind: 'choice', necessary: false },
      ...{ options: ['House', 'Unit', 'Townhouse', 'Shop or office'], field: 'homeType', trade: null },
    },
    {
      ...{ id: 'pets', title: 'Any pets?', description: null, kind: 'choice', necessary: false },
      ...{ options: ['No', 'Yes'], field: 'pets', trade: null },
    },
  ]);
});

test('what the form asks by itself is locked on and not asked twice', () => {
  const builtIn = standardQuestions.filter((question) => question.builtIn);
  expect(builtIn.map(({ title }) => title)).toEqual(['What needs fixing?']);
  for (const question of builtIn)
    expect(question).toMatchObject({ enabled: true, necessary: true, field: null });
});

test('ids and places are unique, and only choices have options', () => {
  expect(new Set(standardQuestions.map(({ id }) => id)).size).toBe(standardQuestions.length);
  expect(standardQuestions.map(({ seq }) => seq)).toEqual(standardQuestions.map((_, index) => index + 1));
  for (const { kind, options } of standardQuestions) expect(options.length > 1).toBe(kind === 'choice');
});

test('a form that was never opened asks nothing', () => {
  expect(publicQuestions(null)).toEqual([]);
});

describe('questions of trades', () => {
  test('are there for every trade of the catalogue, and for no other', () => {
    const asked = new Map(trades.map(({ id }) => [id, questionsOfTrade(id)]));
    for (const [trade, questions] of asked) expect(questions.length, trade).toBeGreaterThanOrEqual(3);
    expect([...asked.values()].flat()).toHaveLength(tradeQuestions.length);
    expect(questionsOfTrade('alchemy')).toEqual([]);
  });

  test('leave room for a tradie’s own, whatever three trades he has', () => {
    const most = Math.max(...trades.map(({ id }) => questionsOfTrade(id).length));
    expect(standardQuestions.length + maxTrades * most).toBeLessThanOrEqual(maxQuestions / 2);
  });

  test('have ids for ever, words of a question, and something to choose from', () => {
    const ids = [...standardQuestions, ...tradeQuestions].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
    for (const { id, title, kind, options } of tradeQuestions) {
      expect(title, id).toMatch(/^[A-Z][^#=]+\?$/);
      expect(options.length > 1, id).toBe(kind === 'choice');
      expect(new Set(options).size, id).toBe(options.length);
    }
  });

  test('are asked once they are ticked, after the general ones and before the tradie’s own', () => {
    const businessId = 'acme';
    const at = opened.data.openedAt;
    const data = {
      businessId,
      questionId: 'q-1',
      trade: 'plumbing',
      question: 'Is there a dog?',
      seq: 1,
      addedAt: at,
    };
    const form = fold(enquiryFormDecider, [
      { type: 'EnquiryFormOpened', data: { businessId, trades: ['plumbing'], openedAt: at } },
      { type: 'QuestionAdded', data },
      { type: 'QuestionEnabled', data: { businessId, questionId: 'plumbing-stopcock', enabledAt: at } },
    ]);
    expect(publicQuestions(form).map(({ title, trade }) => [title, trade])).toEqual([
      ...[
        ['Home type', null],
        ['Any pets?', null],
      ],
      ...[
        ['Is there a working stopcock?', 'plumbing'],
        ['Is there a dog?', 'plumbing'],
      ],
    ]);
  });
});
