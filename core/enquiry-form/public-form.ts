import type { Answer } from '#core/job/request/events.ts';
import { InvalidInputError } from '#core/kernel/errors.ts';
import type { ConsumerField } from '#core/values/job-form.ts';
import type { Region } from '#core/values/region.ts';
import { severalLines } from '#core/values/text.ts';
import type { ThemeColour } from '#core/values/theme-colours.ts';

/** A question as the customer meets it. `options` only for `choice`. */
export type PublicQuestion = Readonly<{
  id: string;
  title: string;
  description: string | null;
  kind: 'text' | 'long-text' | 'number' | 'choice';
  options: readonly string[];
  field: ConsumerField | null;
  necessary: boolean;
  /** The trade that it is asked for; null for a general one. */
  trade: string | null;
}>;

/** What `/t/{slug}` shows: nothing of the owner beyond what the business chose to publish. */
export type PublicForm = Readonly<{
  slug: string;
  name: string;
  tagline: string;
  intro: string;
  logoUrl: string | null;
  theme: ThemeColour;
  region: Region;
  /** Names of its trades, without `services`. */
  trades: readonly string[];
  contact: Readonly<{ phone: string | null; email: string | null }>;
  questions: readonly PublicQuestion[];
}>;

/** What a customer sent for one question. */
export type GivenAnswer = Readonly<{ questionId: string; answer: string }>;

/**
 * The answers as a job keeps them, with the words that were asked. Blank answers, and answers to a question that the
 * form has stopped asking meanwhile, are left out. Throws `InvalidInputError`; its fields are `answer.<questionId>`.
 */
export function answersTo(questions: readonly PublicQuestion[], given: readonly GivenAnswer[]): Answer[] {
  const texts = new Map(given.map(({ questionId, answer }) => [questionId, severalLines(answer).trim()]));
  const problems = questions.map((question) => [
    question.id,
    problemOf(question, texts.get(question.id) ?? ''),
  ]);
  const fields = problems
    .filter(([, problem]) => problem !== null)
    .map(([id, problem]) => [`answer.${id}`, problem]);
  if (fields.length > 0) throw new InvalidInputError('Please check your answers', Object.fromEntries(fields));
  return questions.flatMap(({ id, title, field }) => {
    const answer = texts.get(id);
    return answer ? [{ questionId: id, question: title, field, answer }] : [];
  });
}

function problemOf({ kind, options, necessary }: PublicQuestion, answer: string): string | null {
  if (answer === '') return necessary ? 'Please answer this question' : null;
  if (kind === 'choice' && !options.includes(answer)) return 'Choose one of the options';
  if (kind === 'number' && !/^\d{1,3}$/.test(answer)) return 'Enter a whole number';
  return null;
}
