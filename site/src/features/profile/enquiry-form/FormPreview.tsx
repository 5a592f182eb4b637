import { profileQuery } from '#site/lib/http/profile-query.ts';
import { useQuery } from '#site/lib/http/use-query.ts';
import { Icon } from '#site/ui/Icon.tsx';
import type { Question } from './form-api.ts';
import { askedQuestions, necessaryQuestions } from './question-sections.ts';

type Props = Readonly<{ questions: readonly Question[]; ticks: Readonly<Record<string, boolean>> }>;

/**
 * The customer's page in small, as the ticks stand. Drawn here, because that page may not be framed; for the eye
 * alone, because each question already stands beside its tick.
 */
export function FormPreview({ questions, ticks }: Props) {
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
