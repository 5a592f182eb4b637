import { query } from '#site/lib/query.ts';
import { type SavedSwitches, type Switches, savedSwitches } from '#site/lib/saved-switches.ts';
import { fetchQuestions, fetchTrades, type Question, tickQuestion } from './form-api.ts';

/** The form's questions as the server has them. */
export const questionsQuery = query('enquiry-form', fetchQuestions);

/** The trades of the business. */
export const tradesQuery = query('trades', fetchTrades);

/** The ticks of the questions, by their ids. What was ticked is known to the query too, for who opens the form again. */
export function questionTicks(questions: readonly Question[]): SavedSwitches<string> {
  return savedSwitches(ticksOf(questions), async (id, enabled) => {
    const kept = await tickQuestion(id, enabled);
    questionsQuery.update(() => kept);
    return ticksOf(kept);
  });
}

function ticksOf(questions: readonly Question[]): Switches<string> {
  return Object.fromEntries(questions.map(({ id, enabled }) => [id, enabled]));
}
