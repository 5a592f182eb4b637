import type { HistoryWords, NoValues, RecordWords, Values } from '#core/job/words.ts';
import { ERASED } from '#core/values/stored-details.ts';
import type { answerEvents } from './events.ts';
import { type RejectionReason, rejectionReasonLabels } from './rejection-reasons.ts';

export type AnswerEntries = Readonly<{
  opened: NoValues;
  accepted: Values<string, string>;
  rejected: Values<string, string>;
  'rejection-explained': Values<null, RejectionReason | typeof ERASED>;
}>;

export const answerHistory: HistoryWords<AnswerEntries> = {
  opened: ['opened the job', 'opened it'],
  accepted: ['accepted the job', 'accepted it'],
  rejected: ['rejected the job', 'rejected it'],
  'rejection-explained'({ to }, { besideJob }) {
    const job = besideJob ? 'it' : 'the job';
    if (to === ERASED || to === 'none')
      return [`${to === ERASED ? 'said' : 'did not say'} why ${job} was rejected`];
    return [`said why ${job} was rejected:`, rejectionReasonLabels[to].toLowerCase()];
  },
};

export const answerRecord: RecordWords<typeof answerEvents> = {
  events: {
    JobOpened: 'The tradie opened the job',
    JobAccepted: 'The tradie accepted the job',
    JobRejected: 'The tradie rejected the job',
    JobRejectionExplained: 'The tradie said why the job was rejected',
  },
  fields: { reason: 'Reason' },
};
