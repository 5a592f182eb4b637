import { answerHandlers } from './decide.ts';
import { answerEvents, answerState } from './events.ts';
import { answerEntries, answerView, erasedAnswers } from './view.ts';

/** What the tradie answers to a job that waits. */
export const answer = {
  events: answerEvents,
  ...answerState,
  handle: answerHandlers,
  view: answerView,
  history: answerEntries,
  erasedEntries: erasedAnswers,
};
