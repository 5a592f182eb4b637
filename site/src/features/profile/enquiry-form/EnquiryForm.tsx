import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { useQuery } from '#site/lib/http/query.ts';
import { profileQuery } from '#site/lib/profile-settings.ts';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { LoadFailure, PartsSkeleton } from '#site/ui/PanelStates.tsx';
import {
  askedQuestions,
  type FormTrade,
  generalQuestions,
  necessaryQuestions,
  type Question,
  questionsQuery,
  questionTicks,
  tradesQuery,
} from './questions-store.ts';
import { QuestionTicks, TradeQuestions } from './TradeQuestions.tsx';

/** The enquiry form as a page of its own. */
export function EnquiryFormPage() {
  const { data: profile } = useQuery(profileQuery);
  return (
    <FaultBoundary>
      <div className="list-head">
        <div className="list-head__title">
          <a className="back" href="/profile">
            <Icon name="arrow-left" />
            <span>Profile</span>
          </a>
          <h1>Enquiry form</h1>
        </div>
        {profile?.slug && (
          <div className="list-head__tools">
            <a className="btn btn--secondary" href={`/t/${profile.slug}`} target="_blank" rel="noopener">
              <Icon name="eye" />
              <span>Preview</span>
            </a>
          </div>
        )}
      </div>
      <EnquiryFormBuilder />
    </FaultBoundary>
  );
}

/** The form's questions to tick, and the customer's page beside them where there is room. */
function EnquiryFormBuilder() {
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
              <span>{ticks.problem}</span>
            </div>
          </div>
        )}
      </div>
      <FormPreview questions={questions} ticks={ticks.values} />
    </div>
  );
}

/** What the customer's page asks, to be ticked. Content of the Enquiry form panel. */
export function EnquiryFormEditor() {
  return (
    <div className="panel__body builder">
      <EnquiryFormBuilder />
    </div>
  );
}

type FormPreviewProps = Readonly<{
  questions: readonly Question[];
  ticks: Readonly<Record<string, boolean>>;
}>;

/**
 * The customer's page in small, as the ticks stand. Drawn here, because that page may not be framed; for the eye
 * alone, because each question already stands beside its tick.
 */
function FormPreview({ questions, ticks }: FormPreviewProps) {
  const { data: profile } = useQuery(profileQuery);
  if (!profile) return <div className="builder__prev" />;
  const { logo, theme, bn } = profile;
  return (
    <aside className="builder__prev" aria-label="Form preview" data-biz={theme.slice(1)}>
      <p className="field__label">What your customers see</p>
      <div className="phone" aria-hidden="true">
        <div className="phone__top">
          <span className="biz-logo biz-logo--sm">
            {logo ? <img src={logo} alt="" /> : <Icon name="hammer" />}
          </span>
          <strong>{bn.tradingName || bn.name}</strong>
        </div>
        <div className="phone__body">
          {[...necessaryQuestions(questions), ...askedQuestions(questions, ticks)].map((question) => (
            <PreviewQuestion key={question.id} question={question} />
          ))}
          <p className="phone__q">How do we reach you?</p>
          <span className="phone__in" />
        </div>
      </div>
    </aside>
  );
}

function PreviewQuestion({ question: { title, kind, options } }: Readonly<{ question: Question }>) {
  return (
    <>
      <p className="phone__q">{title}</p>
      {kind === 'choice' ? (
        <span className="phone__chips">
          {options.map((option) => (
            <i key={option}>{option}</i>
          ))}
        </span>
      ) : (
        <span className={kind === 'long-text' ? 'phone__in phone__in--tall' : 'phone__in'} />
      )}
    </>
  );
}
