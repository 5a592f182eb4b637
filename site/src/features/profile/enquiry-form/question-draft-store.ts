import { atom, type ReadableAtom } from 'nanostores';
import { ApiError } from '#site/lib/http/api.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { addQuestion, type NewQuestion } from './form-api.ts';
import { questionsQuery, tradesQuery } from './questions-store.ts';

export type QuestionDraft = Readonly<{
  text: string;
  isSaving: boolean;
  /** What is wrong with the text, in the server's words. */
  problem: string | null;
}>;

const empty: QuestionDraft = { text: '', isSaving: false, problem: null };
const draft = atom<QuestionDraft>(empty);
/** The same text for the same trade has the same key, so that a repeat after a lost answer adds no second question. */
let sending: Readonly<{ trade: string; text: string; key: string }> | null = null;

/** The question being written. It outlives its screen, for a user who closes it by mistake. */
export const $questionDraft: ReadableAtom<QuestionDraft> = draft;

export function writeQuestion(text: string): void {
  draft.set({ ...draft.get(), text, problem: null });
}

export function clearQuestion(): void {
  draft.set(empty);
}

/** Saves the question and loads trades and questions again. Answers whether it is saved; never rejects. */
export async function saveQuestion(place: Omit<NewQuestion, 'question'>): Promise<boolean> {
  const { text, isSaving } = draft.get();
  if (isSaving) return false;
  draft.set({ text, isSaving: true, problem: null });
  const { trade } = place;
  // Its place is no part of what it is: what was added after all may stand in the list by now.
  if (sending?.trade !== trade || sending.text !== text) sending = { trade, text, key: crypto.randomUUID() };
  try {
    await addQuestion({ ...place, question: text }, sending.key);
    await Promise.all([tradesQuery.refresh(), questionsQuery.refresh()]);
    sending = null;
    clearQuestion();
    toast.dismiss('question');
    return true;
  } catch (error) {
    const problem = error instanceof ApiError ? (error.fields.question ?? null) : null;
    draft.set({ text, isSaving: false, problem });
    toast.error('Error adding your new question.', { title: 'Oops, something went wrong', id: 'question' });
    return false;
  }
}
