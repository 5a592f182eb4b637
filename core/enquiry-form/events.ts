import { type EventOf, event, eventGuard, id, instant } from '#core/kernel/event.ts';
import { ERASED } from '#core/values/stored-details.ts';

/**
 * An enquiry form's events. A question of the tradie's own is free text and can name a person; the event knows the
 * business and no account, so the business is its subject.
 */
export const enquiryFormEvents = {
  /** The form exists, with every standard question as `standard-questions.ts` has it. */
  EnquiryFormOpened: event({ businessId: id, trades: 'string[]', openedAt: instant }),

  /** The business does other trades from now on: their questions are there, those of a trade that it left rest. */
  TradesChanged: event({ businessId: id, trades: 'string[]', changedAt: instant }),

  /** Its business is closed for good: customers are asked nothing any more. */
  EnquiryFormClosed: event({ businessId: id, erasureId: id, closedAt: instant }),

  /** Customers are asked this question from now on. */
  QuestionEnabled: event({ businessId: id, questionId: 'string', enabledAt: instant }),

  /** Customers are not asked this question from now on. */
  QuestionDisabled: event({ businessId: id, questionId: 'string', disabledAt: instant }),

  /** A question of the tradie's own, at most 100 characters. `trade` null makes it a general one. */
  QuestionAdded: event(
    {
      businessId: id,
      questionId: 'string',
      trade: 'string | null',
      question: 'string',
      seq: 'number',
      addedAt: instant,
    },
    {
      personal: { subject: ({ businessId }) => `business-${businessId}`, erased: { question: ERASED } },
    },
  ),

  /**
   * A question of the tradie's own has other words, in its place. To customers it is another one, under `newId`: what was
   * answered to the former words is never taken for an answer to these.
   */
  QuestionReworded: event(
    { businessId: id, questionId: 'string', newId: 'string', question: 'string', rewordedAt: instant },
    {
      personal: { subject: ({ businessId }) => `business-${businessId}`, erased: { question: ERASED } },
    },
  ),

  /** A question of the tradie's own is gone from the form. Answers to it stay with their jobs. */
  QuestionRemoved: event({ businessId: id, questionId: 'string', removedAt: instant }),
};

export type EnquiryFormEvent<T extends keyof typeof enquiryFormEvents = keyof typeof enquiryFormEvents> =
  EventOf<typeof enquiryFormEvents, T>;

export const isEnquiryFormEvent = eventGuard(enquiryFormEvents);
