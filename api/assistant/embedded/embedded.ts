import type { Assistant, Clock, JobTools, Piece } from '#api/assistant/assistant.ts';
import { addJobPieces, helpPieces, howPieces, say } from './answer-wording.ts';
import type { Intent } from './intent.ts';
import {
  answerAddress,
  answerCannot,
  answerContact,
  answerFind,
  proposeChange,
  proposeMove,
  proposeNote,
} from './job-answers.ts';
import {
  answerAboutDays,
  answerCount,
  answerGivenStatus,
  answerNew,
  answerNext,
  answerOverdue,
  answerStatus,
  answerSummary,
  answerUnpaid,
  answerUrgent,
  answerWaiting,
} from './list-answers.ts';
import { understand } from './understand.ts';

/** Answers by rules alone, over the business's own jobs; the same question gets the same answer. Needs nothing outside. */
export const embeddedAssistant: Assistant = {
  async *reply({ message, earlier }, tools, clock) {
    yield* await answer(understand(message, clock, earlier), tools, clock);
  },
};

function answer(intent: Intent, tools: JobTools, clock: Clock): Promise<Piece[]> | Piece[] {
  switch (intent.kind) {
    case 'schedule':
      return answerAboutDays(intent.period, tools, clock);
    case 'next':
      return answerNext(tools, clock);
    case 'overdue':
      return answerOverdue(tools, clock);
    case 'given-status':
      return answerGivenStatus(intent, tools, clock);
    case 'waiting':
      return answerWaiting(tools, clock);
    case 'new':
      return answerNew(tools, clock);
    case 'urgent':
      return answerUrgent(tools, clock);
    case 'unpaid':
      return answerUnpaid(tools, clock);
    case 'summary':
      return answerSummary(tools);
    case 'count':
      return answerCount(intent.of, tools);
    case 'status':
      return answerStatus(intent, tools, clock);
    case 'find':
      return answerFind(intent.job, tools, clock);
    case 'contact':
      return answerContact(intent.job, tools, clock);
    case 'address':
      return answerAddress(intent.job, tools, clock);
    case 'change':
      return proposeChange(intent, tools, clock);
    case 'move':
      return proposeMove(intent, tools, clock);
    case 'add-job':
      return addJobPieces(intent.filled);
    case 'cannot':
      return answerCannot(intent.job, tools, clock);
    case 'note':
      return proposeNote(intent, tools, clock);
    case 'how':
      return howPieces(intent.topic, tools);
    case 'greeting':
      return [say('G’day. Ask me about your jobs, or how Ute works.')];
    case 'thanks':
      return [say('No worries.')];
    case 'press':
      return [say('Press the button in my answer: nothing else changes a job.')];
    case 'help':
    case 'unknown':
      return helpPieces(intent.kind);
  }
}
