import { onMount } from 'nanostores';
import { shortTradeName } from '#core/values/trade-catalogue.ts';
import { type AnswerOf, type BodyOf, request } from '#site/lib/http/api.ts';
import { type Queries, query } from '#site/lib/http/query.ts';
import { type SavedSwitches, type Switches, savedSwitches } from '#site/ui/form/saved-switches.ts';

/** A question of the form as its owner sees it. */
export type Question = AnswerOf<'GET', '/form'>['form']['questions'][number];

/** A trade of the business. */
export type FormTrade = AnswerOf<'GET', '/settings/trades'>['trades'][number];

export type NewQuestion = BodyOf<'POST', '/form'>;

async function fetchQuestions(signal: AbortSignal): Promise<readonly Question[]> {
  const { form } = await request('GET', '/form', { signal });
  return form.questions;
}

/** The trades of the business; the first is the one to begin with. */
async function fetchTrades(signal: AbortSignal): Promise<readonly FormTrade[]> {
  const { trades } = await request('GET', '/settings/trades', { signal });
  return trades;
}

/** Asks a question of customers, or no longer; all questions come back as they are saved. */
async function tickQuestion(id: string, enabled: boolean): Promise<readonly Question[]> {
  const { form } = await request('PUT', '/form', { body: { questions: [{ id, enabled }] } });
  return form.questions;
}

/** Adds a question. The same `key` again adds nothing. */
export async function addQuestion(question: NewQuestion, key: string): Promise<void> {
  await request('POST', '/form', { body: question, headers: { 'idempotency-key': key } });
}

/** Gives a question of the tradie's own other words. The same `key` again changes nothing. */
export async function rewordQuestion(id: string, question: string, key: string): Promise<void> {
  const headers = { 'idempotency-key': key };
  await request('PUT', `/form/questions/${encodeURIComponent(id)}`, { body: { question }, headers });
}

/** Removes a question of the tradie's own; again changes nothing. */
export async function removeQuestion(id: string): Promise<void> {
  await request('DELETE', `/form/questions/${encodeURIComponent(id)}`);
}

/** The part of the API that the questions and their ticks are saved by. */
export type FormApi = Readonly<{ fetchQuestions: typeof fetchQuestions; tickQuestion: typeof tickQuestion }>;

/** The form's questions, and the ticks that say which of them customers are asked. */
export function createQuestions(api: FormApi, { query }: Pick<Queries, 'query'>) {
  /** How many ticks the server has answered. */
  let saved = 0;

  /** What was asked for before a tick was saved may be older than the tick. */
  async function fetchNewest(signal: AbortSignal): Promise<readonly Question[]> {
    for (;;) {
      const before = saved;
      const questions = await api.fetchQuestions(signal);
      if (saved === before) return questions;
    }
  }

  /** The form's questions as the server has them. */
  const questionsQuery = query('enquiry-form', fetchNewest);

  /**
   * The ticks of the questions, by their ids. What was ticked is in the query too, for when the form is opened again; and
   * while the settings are open they follow the query, which is refreshed after changes in other tabs.
   */
  function questionTicks(questions: readonly Question[]): SavedSwitches<string> {
    const ticks = savedSwitches(ticksOf(questions), async (id, enabled) => {
      const stored = await api.tickQuestion(id, enabled);
      saved += 1;
      questionsQuery.update(() => stored);
      return ticksOf(stored);
    });
    onMount(ticks.$switches, () =>
      questionsQuery.$state.subscribe(({ data }) => {
        if (data) ticks.follow(ticksOf(data));
      }),
    );
    return ticks;
  }

  return { questionsQuery, questionTicks };
}

export const { questionsQuery, questionTicks } = createQuestions({ fetchQuestions, tickQuestion }, { query });

/** The trades of the business. */
export const tradesQuery = query('trades', fetchTrades);

function ticksOf(questions: readonly Question[]): Switches<string> {
  return Object.fromEntries(questions.map(({ id, enabled }) => [id, enabled]));
}

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
