import { customQuestionLength } from '#core/values/job-form.ts';
import { countCharacters } from '#core/values/text.ts';
import { FieldError } from '#site/ui/form/FieldError.tsx';
import { takeAtMost } from '#site/ui/form/text-limit.ts';

type Props = Readonly<{ text: string; problem: string | null; onWrite(text: string): void }>;

/** The words of a question of the tradie's own, with how many of its characters are taken. */
export function QuestionText({ text, problem, onWrite }: Props) {
  return (
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
  );
}
