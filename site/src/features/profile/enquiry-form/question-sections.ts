import { shortTradeName } from '#core/values/trade-catalogue.ts';
import type { FormTrade, Question } from './form-api.ts';

/** Optional questions that every business may ask. */
export function generalQuestions(questions: readonly Question[]): readonly Question[] {
  return inOrder(
    questions.filter(({ tradie, trade, necessary }) => tradie === null && trade === null && !necessary),
  );
}

/** What is asked of every customer. */
export function necessaryQuestions(questions: readonly Question[]): readonly Question[] {
  return inOrder(questions.filter(({ necessary }) => necessary));
}

/** The questions for a trade: ours, then those that the tradie added. */
export function tradeQuestions(questions: readonly Question[], tradeId: string): readonly Question[] {
  return inOrder(questions.filter(({ trade, necessary }) => trade?.id === tradeId && !necessary));
}

/** A trade in a few letters: its name without the word services. */
export function tradeLabel({ name }: Pick<FormTrade, 'id' | 'name'>): string {
  return shortTradeName(name);
}

/** What a customer meets, in the order of the page: what is ticked, without what has an input of its own anyway. */
export function askedQuestions(
  questions: readonly Question[],
  ticks: Readonly<Record<string, boolean>>,
): readonly Question[] {
  return questions.filter(({ id, builtIn, enabled }) => !builtIn && (ticks[id] ?? enabled));
}

function inOrder(questions: readonly Question[]): readonly Question[] {
  return questions.toSorted((one, other) => one.seq - other.seq);
}
