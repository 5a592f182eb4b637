import { expect, test } from 'vitest';
import { bodyOf } from './form-body.ts';

const typed = {
  name: 'Aroha Tāwhiri',
  email: 'aroha@example.com',
  phone: '0491 570 156',
  address: '14 Blyth St, Brunswick',
  title: 'Leaking shower',
  description: '',
  wishedTime: '',
  website: '',
};

test('text goes as typed, the box as true, answered questions by id', () => {
  expect(bodyOf({ ...typed, isUrgent: 'on', 'answer.pets': 'Yes', 'answer.floor': '  ' })).toEqual({
    ...typed,
    isUrgent: true,
    answers: [{ questionId: 'pets', answer: 'Yes' }],
  });
});

test('an unticked box is not urgent', () => {
  expect(bodyOf(typed)).toMatchObject({ isUrgent: false, answers: [] });
});
