import { expect, test } from 'vitest';
import { consumerDetails, messageOf, wishedTimeOf } from './consumer-details.ts';

const question = (id: string, field: 'pets' | null, title: string, answer: string) => ({
  questionId: id,
  question: title,
  field,
  answer,
});

test('known details come first, then other answers in their own wording; the message is apart', () => {
  const job = {
    consumerJobDetails: { description: 'Water comes up', wishedTime: 'Mornings', pets: 'One dog' },
    form: [question('q1', 'pets', 'Any pets?', 'One dog'), question('q2', null, 'Which floor?', 'Second')],
  };
  expect(messageOf(job)).toBe('Water comes up');
  expect(wishedTimeOf(job)).toBe('Mornings');
  expect(consumerDetails(job, 'au')).toEqual([
    { label: 'Wished time', text: 'Mornings' },
    { label: 'Pets', text: 'One dog' },
    { label: 'Which floor?', text: 'Second' },
  ]);
});

test('what was not answered is not shown', () => {
  expect(
    consumerDetails({ consumerJobDetails: { description: '', wishedTime: '' }, form: [] }, 'au'),
  ).toEqual([]);
});

test.each([
  ['1500', '$1,500'],
  ['$1,500', '$1,500'],
  ['1500 to 2000, not sure', '1500 to 2000, not sure'],
])('a budget of %j reads as %j', (budget, text) => {
  const consumerJobDetails = { description: '', wishedTime: '', budget };
  expect(consumerDetails({ consumerJobDetails, form: [] }, 'nz')).toEqual([{ label: 'Budget', text }]);
});

test('a work order has none', () => {
  expect(consumerDetails({ consumerJobDetails: null, form: [] }, 'au')).toEqual([]);
});
