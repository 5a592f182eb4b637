import { answerHandlers } from './decide.ts';
import { answerEvents, answerState } from './events.ts';

export const answer = { events: answerEvents, ...answerState, handle: answerHandlers };
