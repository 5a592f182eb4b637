import { useStore } from '@nanostores/react';
import { atom, type ReadableAtom } from 'nanostores';
import { useRef, useState } from 'react';
import { ApiError } from '#site/lib/http/api.ts';
import { newId } from '#site/lib/secure/new-id.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { type QuestionDraft, QuestionSheet } from './QuestionSheet.tsx';
import { type Question, questionsQuery, removeQuestion, rewordQuestion } from './questions-store.ts';

/** `id`: of the question whose words are being changed; null before the first. */
type Wording = QuestionDraft & Readonly<{ id: string | null }>;

type WordingDeps = Readonly<{
  reword: typeof rewordQuestion;
  remove: typeof removeQuestion;
  /** Loads the questions again. */
  refresh(): Promise<unknown>;
  toast: Pick<typeof toast, 'error' | 'dismiss'>;
}>;

const none: Wording = { id: null, text: '', isSaving: false, problem: null };

/** The words of a question while they are changed. They outlive their screen, for a user who closes it by mistake. */
export function createWording({ reword, remove, refresh, toast: shown }: WordingDeps) {
  const wording = atom<Wording>(none);
  /** The same words for the same question have the same key, so that a repeat after a lost answer finds it done. */
  let sending: Readonly<{ id: string; text: string; key: string }> | null = null;

  /** Does it once; answers whether it is done, and says so where it is not. Never rejects. */
  async function carryOut(change: () => Promise<void>, failure: string): Promise<boolean> {
    const before = wording.get();
    if (before.isSaving) return false;
    wording.set({ ...before, isSaving: true, problem: null });
    try {
      await change();
      await refresh();
      wording.set(none);
      shown.dismiss('question');
      return true;
    } catch (error) {
      const problem = error instanceof ApiError ? (error.fields.question ?? null) : null;
      wording.set({ ...before, isSaving: false, problem });
      shown.error(failure, { title: 'Oops, something went wrong', id: 'question' });
      return false;
    }
  }

  return {
    $wording: wording as ReadableAtom<Wording>,
    /** Begins with the words of a question, unless those of this one are being changed already. */
    begin({ id, title }: Pick<Question, 'id' | 'title'>) {
      if (wording.get().id !== id) wording.set({ ...none, id, text: title });
    },
    write: (text: string) => wording.set({ ...wording.get(), text, problem: null }),
    clear: () => wording.set(none),
    save(): Promise<boolean> {
      return carryOut(async () => {
        const { id, text } = wording.get();
        if (id === null) return;
        if (sending?.id !== id || sending.text !== text) sending = { id, text, key: newId() };
        await reword(id, text, sending.key);
        sending = null;
      }, 'Error saving your question.');
    },
    remove: (id: string): Promise<boolean> => carryOut(() => remove(id), 'Error removing your question.'),
  };
}

const wording = createWording({
  reword: rewordQuestion,
  remove: removeQuestion,
  refresh: () => questionsQuery.refresh(),
  toast,
});

/** Opens the words of a question for change. */
export const beginWording = wording.begin;

type Props = Readonly<{ question: Question; onClose(): void }>;

/** The screen for the words of a question of the tradie's own, and for removing it. */
export function EditQuestion({ question, onClose }: Props) {
  const draft = useStore(wording.$wording);
  const [isRemoving, setRemoving] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);

  async function remove(): Promise<void> {
    if (await wording.remove(question.id)) dialog.current?.close();
  }

  return (
    <QuestionSheet
      title="Your question"
      draft={draft}
      onWrite={wording.write}
      onSave={wording.save}
      onCancel={wording.clear}
      onClose={onClose}
      dialog={dialog}
    >
      <p className="muted">
        Answers that you have already stay on their jobs, with the words that were asked.
      </p>
      {isRemoving ? (
        <div className="alert alert--info" role="group" aria-labelledby="remove-question">
          <div>
            <strong id="remove-question">Remove this question?</strong>
            <span>Customers will not be asked it any more.</span>
            <div className="own-question__sure">
              <button
                className="btn btn--danger"
                type="button"
                disabled={draft.isSaving}
                onClick={() => void remove()}
              >
                Remove it
              </button>
              <button className="btn btn--secondary" type="button" onClick={() => setRemoving(false)}>
                Keep it
              </button>
            </div>
          </div>
        </div>
      ) : (
        <button className="btn btn--danger" type="button" onClick={() => setRemoving(true)}>
          <Icon name="trash-2" />
          <span>Remove question</span>
        </button>
      )}
    </QuestionSheet>
  );
}
