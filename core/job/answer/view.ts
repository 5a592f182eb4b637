import { type ErasedEntries, type Evolve, type History, plainEntry, unchanged } from '#core/job/part.ts';
import type { RequestDetails } from '#core/job/request/view.ts';
import type { StatusState } from '#core/job/status/events.ts';
import { ERASED } from '#core/values/stored-details.ts';
import type { answerEvents } from './events.ts';
import type { AnswerEntries } from './words.ts';

/** `openedAt`: when the tradie first looked at the job while it waited, or answered it unseen; an undo takes neither back. */
export type AnswerDetails = Readonly<{ openedAt: string | null }>;

type Details = AnswerDetails & StatusState & Pick<RequestDetails, 'heldFor'>;

export const answerView = {
  begins: (): AnswerDetails => ({ openedAt: null }),
  evolve: {
    JobOpened: ({ openedAt }) => ({ openedAt }),
    JobAccepted: ({ acceptedAt }, { openedAt }) => ({
      ...{ status: 'To quote', heldFor: null },
      openedAt: openedAt ?? acceptedAt,
    }),
    JobRejected: ({ rejectedAt }, { openedAt }) => ({
      ...{ status: 'Rejected', heldFor: null },
      openedAt: openedAt ?? rejectedAt,
    }),
    JobRejectionExplained: unchanged,
  } satisfies Evolve<typeof answerEvents, Details>,
  erased: {},
  card: unchanged,
  page: unchanged,
};

export const answerEntries = {
  JobOpened: plainEntry('opened'),
  JobAccepted: (_, { status: from }, { status: to }) => [{ what: 'accepted', from, to }],
  JobRejected: (_, { status: from }, { status: to }) => [{ what: 'rejected', from, to }],
  JobRejectionExplained: ({ reason }) => [{ what: 'rejection-explained', from: null, to: reason }],
} satisfies History<typeof answerEvents, StatusState, AnswerEntries>;

export const erasedAnswers = {
  'rejection-explained': { to: ERASED },
} satisfies ErasedEntries<AnswerEntries>;
