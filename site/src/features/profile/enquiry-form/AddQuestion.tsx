import { useStore } from '@nanostores/react';
import { atom, type ReadableAtom } from 'nanostores';
import { type SubmitEvent, useRef } from 'react';
import { customQuestionLength } from '#core/values/job-form.ts';
import { ApiError } from '#site/lib/http/api.ts';
import { FieldError } from '#site/ui/form/FieldError.tsx';
import { Sheet } from '#site/ui/Sheet.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { addQuestion, type NewQuestion } from './form-api.ts';
import { questionsQuery, tradesQuery } from './questions-store.ts';

type QuestionDraft = Readonly<{
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

function clearQuestion(): void {
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

type Props = Readonly<{
  trade: string;
  /** The place that the question will have within its trade. */
  seq: number;
  onClose(): void;
}>;

/** The screen for a question of the tradie's own. */
export function AddQuestion({ trade, seq, onClose }: Props) {
  const { text, isSaving, problem } = useStore($questionDraft);
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => dialog.current?.close();

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (text.trim() !== '' && (await saveQuestion({ trade, seq }))) close();
  }

  return (
    <Sheet title="Add Custom question" dialog={dialog} onClose={onClose} focusOn="textarea">
      <form className="panel__form" noValidate onSubmit={(event) => void save(event)}>
        <div className="panel__body">
          <div className="field">
            <label className="field__label" htmlFor="custom-question">
              Your question
            </label>
            <textarea
              className="textarea"
              id="custom-question"
              rows={3}
              maxLength={customQuestionLength}
              placeholder="Type in your question"
              value={text}
              onChange={(event) => writeQuestion(event.target.value)}
              aria-invalid={problem !== null}
              aria-describedby={
                problem === null ? 'custom-question-count' : 'custom-question-problem custom-question-count'
              }
            />
            <p className="field__counter num" id="custom-question-count">
              {`${text.length}/${customQuestionLength} characters`}
            </p>
            <FieldError id="custom-question-problem" message={problem} isLate />
          </div>
          <p className="muted">You can add more questions later.</p>
        </div>
        <div className="panel__foot">
          <button
            className="btn btn--secondary btn--lg"
            type="button"
            onClick={() => {
              clearQuestion();
              close();
            }}
          >
            Cancel
          </button>
          <button
            className="btn btn--primary btn--lg"
            type="submit"
            disabled={text.trim() === '' || isSaving}
            aria-busy={isSaving}
          >
            Save
          </button>
        </div>
      </form>
    </Sheet>
  );
}
