import { expect, test } from 'vitest';
import type { EnquiryFormEvent } from './events.ts';
import { questionHistory } from './question-history.ts';

const at = '2026-11-03T01:00:00.000Z';
const businessId = 'b1';
const opened: EnquiryFormEvent = {
  type: 'EnquiryFormOpened',
  data: { businessId, trades: ['plumbing'], openedAt: at },
};
const added: EnquiryFormEvent = {
  type: 'QuestionAdded',
  data: { businessId, questionId: 'q1', trade: 'plumbing', question: 'A dgo?', seq: 9, addedAt: at },
};
const reworded = (questionId: string, newId: string, question: string): EnquiryFormEvent => ({
  type: 'QuestionReworded',
  data: { businessId, questionId, newId, question, rewordedAt: at },
});
const removed: EnquiryFormEvent = {
  type: 'QuestionRemoved',
  data: { businessId, questionId: 'q3', removedAt: at },
};

test('every question that a form had is known by the words that it had, and by what it became', () => {
  const { words, became } = questionHistory([
    ...[opened, added, reworded('q1', 'q2', 'A dog?'), reworded('q2', 'q3', 'Any dogs?')],
    { type: 'TradesChanged', data: { businessId, trades: ['painting'], changedAt: at } },
  ]);
  expect(['q1', 'q2', 'q3'].map((id) => words.get(id))).toEqual(['A dgo?', 'A dog?', 'Any dogs?']);
  expect([became('q1'), became('q2'), became('q3')]).toEqual(['q3', 'q3', null]);
  // Those of a trade that it left, those of the one that it has, and those that were never ticked.
  for (const id of ['plumbing-water', 'painting-where', 'parking']) expect(words.has(id)).toBe(true);
  expect(words.has('roofing-leaking')).toBe(false);
  expect(words.has('__proto__')).toBe(false);
});

test('one that was removed became nothing', () => {
  const { words, became } = questionHistory([opened, added, reworded('q1', 'q3', 'A dog?'), removed]);
  expect([words.get('q1'), words.get('q3'), became('q1')]).toEqual(['A dgo?', 'A dog?', 'q3']);
});
