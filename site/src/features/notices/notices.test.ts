import { expect, test } from 'vitest';
import { notice } from './notices.ts';

test.each(['terms', 'privacy'] as const)('%s name the operator and leave no gap', (name) => {
  const text = notice(name)
    .sections.flatMap(({ paragraphs }) => paragraphs)
    .join('\n');
  expect(text).toMatch(/@/);
  expect(text).not.toMatch(/[{}]/);
});
