import { useStore } from '@nanostores/react';
import { atom, type ReadableAtom } from 'nanostores';
import { useId, useState } from 'react';
import type { SwitchesState } from '#site/lib/form/saved-switches.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { AddQuestion } from './AddQuestion.tsx';
import type { FormTrade, Question } from './form-api.ts';
import { QuestionTicks } from './QuestionTicks.tsx';
import { necessaryQuestions, tradeLabel, tradeQuestions } from './question-sections.ts';

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
        <QuestionTicks questions={[...necessaryQuestions(questions), ...asked]} {...ticking} />
      </div>
      {chosen ? (
        <button className="btn btn--secondary btn--block" type="button" onClick={() => setAdding(true)}>
          <Icon name="plus" />
          Add another question
        </button>
      ) : (
        <p className="muted">There is no trade in your profile, so there is nothing to ask for one.</p>
      )}
      {chosen && isAdding && (
        <AddQuestion trade={chosen.id} seq={asked.length + 1} onClose={() => setAdding(false)} />
      )}
    </section>
  );
}
