import { useStore } from '@nanostores/react';
import { type SubmitEvent, useRef } from 'react';
import { customQuestionLength } from '#core/values/job-form.ts';
import { FieldError } from '#site/ui/form/FieldError.tsx';
import { Sheet } from '#site/ui/Sheet.tsx';
import { $questionDraft, clearQuestion, saveQuestion, writeQuestion } from './question-draft-store.ts';

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
