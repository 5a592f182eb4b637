import { expect, test } from 'vitest';
import { chatLimits } from '#core/values/product.ts';
import { earlierTurns } from './chat-store.ts';

const line = (id: string) => ({ id, lead: 'Mon 05 Jan', title: 'A job' });
const text = (words: string) => ({ kind: 'text', text: words }) as const;

test('an exchange goes along as its words and its jobs, each once', () => {
  const proposal = { jobId: 'b', title: 'B', revision: 3, change: { kind: 'accept' } } as const;
  const pieces = [
    text('Two jobs.'),
    text('Here.'),
    { kind: 'jobs', jobs: [line('a'), line('b')] } as const,
    { kind: 'proposal', proposal } as const,
  ];
  expect(earlierTurns([{ question: 'any new jobs?', pieces }])).toEqual([
    { question: 'any new jobs?', answer: 'Two jobs. Here.', jobs: ['a', 'b'] },
  ]);
});

test('no more of them than are taken, and none that nothing came of', () => {
  const turns = Array.from({ length: 9 }, (_, at) => ({ question: `${at}`, pieces: [text('Yes.')] }));
  const asked = earlierTurns([...turns, { question: 'lost', pieces: [] }]).map(({ question }) => question);
  expect(asked).toEqual(['3', '4', '5', '6', '7', '8']);
});

test('a long answer is cut, between two characters', () => {
  const pieces = [text(`${'x'.repeat(chatLimits.answer - 1)}🦘`)];
  const [only] = earlierTurns([{ question: 'tell me', pieces }]);
  expect([only?.answer.length, only?.answer.isWellFormed()]).toEqual([chatLimits.answer, true]);
});
