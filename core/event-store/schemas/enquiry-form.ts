import { type } from 'arktype';
import type {
  EnquiryFormEvent,
  EnquiryFormOpened,
  QuestionAdded,
  QuestionDisabled,
  QuestionEnabled,
} from '#core/enquiry-form/events.ts';
import { ERASED, type EventVersions, id, instant, type Plain } from './event-version.ts';

const EnquiryFormOpened1 = type
  .declare<Plain<EnquiryFormOpened['data']>>()
  .type({ businessId: id, trades: 'string[]', openedAt: instant })
  .onDeepUndeclaredKey('reject');

const QuestionEnabled1 = type
  .declare<Plain<QuestionEnabled['data']>>()
  .type({ businessId: id, questionId: 'string', enabledAt: instant })
  .onDeepUndeclaredKey('reject');

const QuestionDisabled1 = type
  .declare<Plain<QuestionDisabled['data']>>()
  .type({ businessId: id, questionId: 'string', disabledAt: instant })
  .onDeepUndeclaredKey('reject');

const QuestionAdded1 = type
  .declare<Plain<QuestionAdded['data']>>()
  .type({
    businessId: id,
    questionId: 'string',
    trade: 'string | null',
    question: 'string',
    seq: 'number',
    addedAt: instant,
  })
  .onDeepUndeclaredKey('reject');

/**
 * An enquiry form's events. A question of the tradie's own is free text and can name a person; the fact knows the
 * business and no account, so the business is its subject.
 */
export const enquiryFormEvents = {
  EnquiryFormOpened: [{ schema: EnquiryFormOpened1 }],
  QuestionEnabled: [{ schema: QuestionEnabled1 }],
  QuestionDisabled: [{ schema: QuestionDisabled1 }],
  QuestionAdded: [
    {
      schema: QuestionAdded1,
      personal: {
        subject: ({ businessId }) => `business-${businessId}`,
        erased: { question: ERASED },
      },
    },
  ],
} as const satisfies {
  [T in EnquiryFormEvent['type']]: EventVersions<Extract<EnquiryFormEvent, { type: T }>>;
};
