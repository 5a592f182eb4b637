import { expect, test, vi } from 'vitest';
import { ApiError } from '#site/lib/http/api.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { $questionDraft, saveQuestion, writeQuestion } from './AddQuestion.tsx';
import { addQuestion, fetchQuestions, fetchTrades } from './form-api.ts';

vi.mock('./form-api.ts');
vi.mock('#site/ui/toast/toast.ts', () => ({ toast: { error: vi.fn(), dismiss: vi.fn() } }));

const keys = () => vi.mocked(addQuestion).mock.calls.map(([, key]) => key);

test('a question whose answer was lost has the same key again, wherever it would stand by now', async () => {
  vi.mocked(fetchQuestions).mockResolvedValue([]);
  vi.mocked(fetchTrades).mockResolvedValue([]);
  vi.mocked(addQuestion).mockRejectedValueOnce(new ApiError('', 0));
  writeQuestion('Is there a dog?');
  expect(await saveQuestion({ trade: 'plumbing', seq: 5 })).toBe(false);
  expect($questionDraft.get()).toMatchObject({ text: 'Is there a dog?', isSaving: false });
  expect(toast.dismiss).not.toHaveBeenCalled();
  expect(await saveQuestion({ trade: 'plumbing', seq: 6 })).toBe(true);
  expect(toast.dismiss).toHaveBeenCalledWith('question');
  expect(new Set(keys()).size).toBe(1);
  expect($questionDraft.get().text).toBe('');

  writeQuestion('Is there a dog?');
  await saveQuestion({ trade: 'plumbing', seq: 7 });
  expect(new Set(keys()).size).toBe(2);
});
