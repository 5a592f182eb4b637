import { expect, test } from 'vitest';
import { consumerFields } from '#core/job/events.ts';
import { fold } from '#core/kernel/decider.ts';
import { enquiryFormDecider } from './decider.ts';
import { standardQuestions } from './standard-questions.ts';
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
      ...{ options: ['House', 'Unit', 'Townhouse', 'Shop or office'], field: 'homeType' },
    },
    {
      ...{ id: 'pets', title: 'Any pets?', description: null, kind: 'choice', necessary: false },
      ...{ options: ['No', 'Yes'], field: 'pets' },
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
