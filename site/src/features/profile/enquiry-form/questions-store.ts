import { onMount } from 'nanostores';
import { type SavedSwitches, type Switches, savedSwitches } from '#site/lib/form/saved-switches.ts';
import { query } from '#site/lib/http/query.ts';
import { fetchQuestions, fetchTrades, type Question, tickQuestion } from './form-api.ts';

/** How many ticks the server has answered. */
let saved = 0;

/** The form's questions as the server has them. */
export const questionsQuery = query('enquiry-form', fetchNewest);

/** The trades of the business. */
export const tradesQuery = query('trades', fetchTrades);

/**
 * The ticks of the questions, by their ids. What was ticked is in the query too, for when the form is opened again; and
 * while the settings are open they follow the query, which is refreshed after changes in other tabs.
 */
export function questionTicks(questions: readonly Question[]): SavedSwitches<string> {
  const ticks = savedSwitches(ticksOf(questions), async (id, enabled) => {
    const stored = await tickQuestion(id, enabled);
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

/** What was asked for before a tick was saved may be older than the tick. */
async function fetchNewest(signal: AbortSignal): Promise<readonly Question[]> {
  for (;;) {
    const before = saved;
    const questions = await fetchQuestions(signal);
    if (saved === before) return questions;
  }
}

function ticksOf(questions: readonly Question[]): Switches<string> {
  return Object.fromEntries(questions.map(({ id, enabled }) => [id, enabled]));
}
