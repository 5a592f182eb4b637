import { expect, test } from 'vitest';
import { InvalidInputError } from '#core/kernel/errors.ts';
import { answersTo, type PublicQuestion } from './public-form.ts';

const question = (id: string, rest: Partial<PublicQuestion> = {}): PublicQuestion => ({
  ...{
    id,
    title: `${id}?`,
    description: null,
    kind: 'text',
    options: [],
    field: null,
    necessary: false,
    trade: null,
  },
  ...rest,
});
const pets = question('pets', { kind: 'choice', options: ['No', 'Yes'], field: 'pets' });
const storeys = question('storeys', { kind: 'number', field: 'storeys' });
const access = question('access', { necessary: true });

function refused(questions: PublicQuestion[], given: Parameters<typeof answersTo>[1]) {
  try {
    answersTo(questions, given);
    return {};
  } catch (error) {
    if (error instanceof InvalidInputError) return error.fields;
    throw error;
  }
}

test('an answer is stored with the words that were asked, in the order of the form', () => {
  const given = [
    { questionId: 'storeys', answer: ' 2 ' },
    { questionId: 'pets', answer: 'No' },
  ];
  expect(answersTo([pets, storeys], given)).toEqual([
    { questionId: 'pets', question: 'pets?', field: 'pets', answer: 'No' },
    { questionId: 'storeys', question: 'storeys?', field: 'storeys', answer: '2' },
  ]);
});

test('a blank answer, and one to a question that is asked no more, are left out', () => {
  const given = [
    { questionId: 'pets', answer: ' ' },
    { questionId: 'gone', answer: 'Yes' },
    { questionId: '__proto__', answer: 'Yes' },
  ];
  expect(answersTo([pets, storeys], given)).toEqual([]);
});

test('the last answer to a question counts', () => {
  const given = ['No', 'Yes'].map((answer) => ({ questionId: 'pets', answer }));
  expect(answersTo([pets], given)).toMatchObject([{ answer: 'Yes' }]);
});

test('an answer that does not fit its question is refused by name', () => {
  const given = [
    { questionId: 'pets', answer: 'A dragon' },
    { questionId: 'storeys', answer: 'two' },
  ];
  expect(refused([pets, storeys, access], given)).toEqual({
    'answer.pets': 'Choose one of the options',
    'answer.storeys': 'Enter a whole number',
    'answer.access': 'Please answer this question',
  });
});
