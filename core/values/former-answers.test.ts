import { expect, test } from 'vitest';
import { carryOver } from './former-answers.ts';
import { jobRequestLengths } from './job-form.ts';

const dog = { question: 'Is there a dog?', answer: ' Yes, Rex ' };

test('an answer whose question is gone goes to the end of the description, after its question', () => {
  const home = { question: 'Home type', answer: 'House' };
  expect(carryOver('It drips.\n', [dog, home])).toEqual({
    description: 'It drips.\nIs there a dog? Yes, Rex\nHome type: House',
    message:
      '“Is there a dog?” is not asked any more: your answer stands here now.\n“Home type” is not asked any more: your answer stands here now.',
    left: [],
  });
  expect(carryOver('', [dog]).description).toBe('Is there a dog? Yes, Rex');
});

test('once, however often the same form is sent', () => {
  const once = carryOver('It drips.', [dog]);
  expect(carryOver(once.description, [dog])).toEqual(once);
  expect(carryOver(`${once.description.replace('\n', '\r\n')}\r\nAnd soon.`, [dog]).description).toBe(
    'It drips.\r\nIs there a dog? Yes, Rex\r\nAnd soon.',
  );
  expect(carryOver('Is there a dog? Yes, Rexy', [dog]).description).toBe(
    'Is there a dog? Yes, Rexy\nIs there a dog? Yes, Rex',
  );
});

test('one whose words are not known stands by itself', () => {
  expect(carryOver('', [{ question: '', answer: 'Round the back' }])).toEqual({
    description: 'Round the back',
    message: 'A question that you answered is not asked any more: your answer stands here now.',
    left: [],
  });
});

test('what has no room is shown beside the description, which stays as it was', () => {
  const full = '🐕'.repeat(jobRequestLengths.description - 5);
  const short = { question: '', answer: 'Yes' };
  expect(carryOver(full, [dog, short])).toEqual({
    description: `${full}\nYes`,
    message:
      '“Is there a dog?” is not asked any more, and there is no room here for your answer: Yes, Rex\nA question that you answered is not asked any more: your answer stands here now.',
    left: [dog],
  });
});
