import { useStore } from '@nanostores/react';
import { atom, type ReadableAtom } from 'nanostores';
import { useId, useRef, useState } from 'react';
import { ApiError } from '#site/lib/http/api.ts';
import { newId } from '#site/lib/secure/new-id.ts';
import { TickRow } from '#site/ui/form/SwitchRow.tsx';
import type { SwitchesState } from '#site/ui/form/saved-switches.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { beginWording, EditQuestion } from './EditQuestion.tsx';
import { type QuestionDraft, QuestionSheet } from './QuestionSheet.tsx';
import {
  addQuestion,
  type FormTrade,
  type NewQuestion,
  necessaryQuestions,
  type Question,
  questionsQuery,
  tradeLabel,
  tradeQuestions,
  tradesQuery,
} from './questions-store.ts';

const chosen = atom<string | null>(null);

/** The id of the trade whose questions are shown; null until one is chosen, which means the first. */
const $chosenTrade: ReadableAtom<string | null> = chosen;

function chooseTrade(id: string): void {
  chosen.set(id);
}

type Props = Readonly<{
  questions: readonly Question[];
  trades: readonly FormTrade[];
  ticks: SwitchesState<string>;
  onTick(id: string, enabled: boolean): void;
}>;

/** What is asked for one trade at a time, the first of them until another is chosen. */
export function TradeQuestions({ questions, trades, ...ticking }: Props) {
  const wanted = useStore($chosenTrade);
  const [isAdding, setAdding] = useState(false);
  const [changing, setChanging] = useState<Question | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const endChange = () => {
    setChanging(null);
    // The button that opened it is gone with a question that was removed.
    if (document.activeElement === document.body) addButton.current?.focus();
  };
  const change = (question: Question) => {
    beginWording(question);
    setChanging(question);
  };
  const heading = useId();
  const chosen = trades.find(({ id }) => id === wanted) ?? trades[0];
  const asked = chosen ? tradeQuestions(questions, chosen.id) : [];
  return (
    <section aria-labelledby={heading}>
      <div className="chips" role="group" aria-label="Trade">
        {trades.map((trade) => (
          <button
            className="chip"
            key={trade.id}
            type="button"
            aria-pressed={trade === chosen}
            onClick={() => chooseTrade(trade.id)}
          >
            {tradeLabel(trade)}
          </button>
        ))}
      </div>
      <h2 id={heading}>{chosen ? `Job details for ${tradeLabel(chosen)}` : 'Job details'}</h2>
      <div className="rows">
        <QuestionTicks
          questions={[...necessaryQuestions(questions), ...asked]}
          {...ticking}
          onChange={change}
        />
      </div>
      {chosen ? (
        <button
          ref={addButton}
          className="btn btn--secondary btn--block"
          type="button"
          onClick={() => setAdding(true)}
        >
          <Icon name="plus" />
          <span>Add another question</span>
        </button>
      ) : (
        <p className="muted">There is no trade in your profile, so there is nothing to ask for one.</p>
      )}
      {changing && <EditQuestion question={changing} onClose={endChange} />}
      {chosen && isAdding && (
        <AddQuestion trade={chosen.id} seq={asked.length + 1} onClose={() => setAdding(false)} />
      )}
    </section>
  );
}

const empty: QuestionDraft = { text: '', isSaving: false, problem: null };

type DraftDeps = Readonly<{
  add: typeof addQuestion;
  /** Loads trades and questions again. */
  refresh(): Promise<unknown>;
  toast: Pick<typeof toast, 'error' | 'dismiss'>;
}>;

/** The question being written. It outlives its screen, for a user who closes it by mistake. */
export function createQuestionDraft({ add, refresh, toast: shown }: DraftDeps) {
  const draft = atom<QuestionDraft>(empty);
  /** The same text for the same trade has the same key, so that a repeat after a lost answer adds no second question. */
  let sending: Readonly<{ trade: string; text: string; key: string }> | null = null;
  const clear = () => draft.set(empty);

  /** Saves the question and loads trades and questions again. Answers whether it is saved; never rejects. */
  async function save(place: Omit<NewQuestion, 'question'>): Promise<boolean> {
    const { text, isSaving } = draft.get();
    if (isSaving) return false;
    draft.set({ text, isSaving: true, problem: null });
    const { trade } = place;
    // Its place is no part of what it is: what was added after all may stand in the list by now.
    if (sending?.trade !== trade || sending.text !== text) sending = { trade, text, key: newId() };
    try {
      await add({ ...place, question: text }, sending.key);
      await refresh();
      sending = null;
      clear();
      shown.dismiss('question');
      return true;
    } catch (error) {
      const problem = error instanceof ApiError ? (error.fields.question ?? null) : null;
      draft.set({ text, isSaving: false, problem });
      shown.error('Error adding your new question.', { title: 'Oops, something went wrong', id: 'question' });
      return false;
    }
  }

  return {
    $draft: draft as ReadableAtom<QuestionDraft>,
    write: (text: string) => draft.set({ ...draft.get(), text, problem: null }),
    clear,
    save,
  };
}

const questionDraft = createQuestionDraft({
  add: addQuestion,
  refresh: () => Promise.all([tradesQuery.refresh(), questionsQuery.refresh()]),
  toast,
});

type AddQuestionProps = Readonly<{
  trade: string;
  /** The place that the question will have within its trade. */
  seq: number;
  onClose(): void;
}>;

function AddQuestion({ trade, seq, onClose }: AddQuestionProps) {
  const draft = useStore(questionDraft.$draft);
  return (
    <QuestionSheet
      title="Add Custom question"
      draft={draft}
      onWrite={questionDraft.write}
      onSave={() => questionDraft.save({ trade, seq })}
      onCancel={questionDraft.clear}
      onClose={onClose}
    >
      <p className="muted">You can add more questions later.</p>
    </QuestionSheet>
  );
}

type QuestionTicksProps = Readonly<{
  questions: readonly Question[];
  ticks: SwitchesState<string>;
  onTick(id: string, enabled: boolean): void;
  /** Opens the words of a question of the tradie's own. */
  onChange?(question: Question): void;
}>;

/** A tick for each question, saved as it is made. Goes into `.rows`. */
export function QuestionTicks({ questions, ticks, onTick, onChange }: QuestionTicksProps) {
  return questions.map((question) => {
    const { id, title, necessary, tradie, enabled, seq } = question;
    if (necessary) {
      const note = 'Always asked: it says what the job is';
      return <TickRow key={id} label={title} note={note} isOn isLocked />;
    }
    // With other words a question has another id, and the focus stays on its row.
    const key = tradie === null ? id : `own-${seq}`;
    const row = (
      <TickRow
        key={key}
        label={title}
        note={tradie === null ? undefined : 'Your question'}
        isOn={ticks.values[id] ?? enabled}
        phase={ticks.phases[id]}
        onTurn={(isOn) => onTick(id, isOn)}
      />
    );
    if (tradie === null || !onChange) return row;
    return (
      <div className="own-question" key={key}>
        {row}
        <button
          className="btn btn--icon btn--quiet"
          type="button"
          aria-label={`Change: ${title}`}
          onClick={() => onChange(question)}
        >
          <Icon name="pencil" />
        </button>
      </div>
    );
  });
}
