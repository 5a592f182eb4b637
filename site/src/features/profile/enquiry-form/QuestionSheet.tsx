import { type RefObject, type SubmitEvent, useRef } from 'react';
import type { Elements } from 'react/jsx-runtime';
import { customQuestionLength } from '#core/values/job-form.ts';
import { countCharacters } from '#core/values/text.ts';
import { FieldError } from '#site/ui/form/FieldError.tsx';
import { takeAtMost } from '#site/ui/form/text-limit.ts';
import { Sheet } from '#site/ui/Sheet.tsx';

/** The words of a question while they are typed. */
export type QuestionDraft = Readonly<{
  text: string;
  isSaving: boolean;
  /** What is wrong with the text, in the server's words. */
  problem: string | null;
}>;

type Props = Readonly<{
  title: string;
  draft: QuestionDraft;
  onWrite(text: string): void;
  /** Answers whether it is saved. */
  onSave(): Promise<boolean>;
  /** Removes what was typed. */
  onCancel(): void;
  onClose(): void;
  /** The dialog, for who closes it in another way. */
  dialog?: RefObject<HTMLDialogElement | null>;
  children: Elements;
}>;

/** The screen for the words of a question of the tradie's own. */
export function QuestionSheet({ title, draft, onWrite, onSave, onCancel, onClose, ...rest }: Props) {
  const { text, isSaving, problem } = draft;
  const own = useRef<HTMLDialogElement>(null);
  const { dialog = own, children } = rest;
  const close = () => dialog.current?.close();

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (text.trim() !== '' && (await onSave())) close();
  }

  return (
    <Sheet title={title} dialog={dialog} onClose={onClose} focusOn="textarea">
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
              placeholder="Type in your question"
              value={text}
              onChange={takeAtMost(customQuestionLength, onWrite)}
              aria-invalid={problem !== null}
              aria-describedby={
                problem === null ? 'custom-question-count' : 'custom-question-problem custom-question-count'
              }
            />
            <p className="field__counter num" id="custom-question-count">
              {`${countCharacters(text)}/${customQuestionLength} characters`}
            </p>
            <FieldError id="custom-question-problem" message={problem} isLate />
          </div>
          {children}
        </div>
        <div className="panel__foot">
          <button
            className="btn btn--secondary btn--lg"
            type="button"
            onClick={() => {
              onCancel();
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
