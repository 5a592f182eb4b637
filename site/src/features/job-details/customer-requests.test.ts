import { expect, test } from 'vitest';
import { correctionsIn } from './CustomerRequests.tsx';

const at = '2026-11-12T00:30:00.000Z';
const entry = (
  revision: number,
  what: 'correction-asked' | 'correction-agreed' | 'correction-refused' | 'opened',
  to: string | null,
) => ({ revision, what, to, at }) as Parameters<typeof correctionsIn>[0][number];

test('a correction has the newest answer that was given to its words', () => {
  const entries = [
    entry(6, 'correction-agreed', 'Unit 2'),
    entry(5, 'correction-refused', 'Unit 2'),
    entry(4, 'correction-refused', 'My name is Aroha'),
    entry(3, 'correction-asked', 'Ring after five'),
    entry(2, 'correction-asked', 'My name is Aroha'),
    entry(1, 'correction-asked', 'Unit 2'),
    entry(0, 'opened', null),
  ];
  expect(correctionsIn(entries)).toEqual([
    { asked: 1, text: 'Unit 2', at, answer: 'agreed' },
    { asked: 2, text: 'My name is Aroha', at, answer: 'refused' },
    { asked: 3, text: 'Ring after five', at, answer: null },
  ]);
});
