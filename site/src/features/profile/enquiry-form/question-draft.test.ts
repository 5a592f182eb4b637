import { expect, test, vi } from 'vitest';
import { ApiError } from '#site/lib/http/api.ts';
import { createQuestionDraft } from './TradeQuestions.tsx';

const add = vi.fn(async (_: unknown, _key: string) => undefined);
const toast = { error: vi.fn(), dismiss: vi.fn() };
const draft = createQuestionDraft({ add, refresh: async () => undefined, toast });

const keys = () => add.mock.calls.map(([, key]) => key);

test('a question whose answer was lost has the same key again, wherever it would stand by now', async () => {
  add.mockRejectedValueOnce(new ApiError('', 0));
  draft.write('Is there a dog?');
  expect(await draft.save({ trade: 'plumbing', seq: 5 })).toBe(false);
  expect(draft.$draft.get()).toMatchObject({ text: 'Is there a dog?', isSaving: false });
  expect(toast.dismiss).not.toHaveBeenCalled();
  expect(await draft.save({ trade: 'plumbing', seq: 6 })).toBe(true);
  expect(toast.dismiss).toHaveBeenCalledWith('question');
  expect(new Set(keys()).size).toBe(1);
  expect(draft.$draft.get().text).toBe('');

  draft.write('Is there a dog?');
  await draft.save({ trade: 'plumbing', seq: 7 });
  expect(new Set(keys()).size).toBe(2);
});
