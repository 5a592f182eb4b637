import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { useQuery } from '#site/lib/http/use-query.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { LoadFailure, PartsSkeleton } from '#site/ui/PanelStates.tsx';
import { FormPreview } from './FormPreview.tsx';
import type { FormTrade, Question } from './form-api.ts';
import { QuestionTicks } from './QuestionTicks.tsx';
import { generalQuestions } from './question-sections.ts';
import { questionsQuery, questionTicks, tradesQuery } from './questions-store.ts';
import { TradeQuestions } from './TradeQuestions.tsx';

/** The form's questions to tick, and the customer's page beside them where there is room. */
export function EnquiryFormBuilder() {
  const questions = useQuery(questionsQuery);
  const trades = useQuery(tradesQuery);
  const error = questions.error ?? trades.error;
  if (questions.data && trades.data) return <Builder questions={questions.data} trades={trades.data} />;
  if (questions.status !== 'error' && trades.status !== 'error') return <PartsSkeleton />;
  return <LoadFailure message={error?.message ?? ''} onAgain={loadAgain} />;
}

function loadAgain(): void {
  void questionsQuery.refresh();
  void tradesQuery.refresh();
}

type Props = Readonly<{ questions: readonly Question[]; trades: readonly FormTrade[] }>;

function Builder({ questions, trades }: Props) {
  const [{ $switches, turn }] = useState(() => questionTicks(questions));
  const ticks = useStore($switches);
  const onTick = (id: string, enabled: boolean) => void turn(id, enabled);
  return (
    <div className="builder__cols">
      <div className="builder__main">
        <p className="alert alert--info">
          <Icon name="info" />
          <span>
            Customer contact details are collected by default: name, phone, email and address are always
            asked. Tick what else you want to know.
          </span>
        </p>
        <section aria-labelledby="general-information">
          <h2 id="general-information">General information</h2>
          <div className="rows rows--2">
            <QuestionTicks questions={generalQuestions(questions)} ticks={ticks} onTick={onTick} />
          </div>
        </section>
        <TradeQuestions questions={questions} trades={trades} ticks={ticks} onTick={onTick} />
        {ticks.problem && (
          <div className="alert alert--error builder__problem" role="alert">
            <Icon name="circle-alert" />
            <div>
              <strong>Not saved</strong>
              {ticks.problem}
            </div>
          </div>
        )}
      </div>
      <FormPreview questions={questions} ticks={ticks.values} />
    </div>
  );
}
