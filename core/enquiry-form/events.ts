import type { Event } from '#core/kernel/event.ts';

/** The form exists, with every standard question as `standard-questions.ts` has it. */
export type EnquiryFormOpened = Event<
  'EnquiryFormOpened',
  { businessId: string; trades: readonly string[]; openedAt: string }
>;

export type QuestionEnabled = Event<
  'QuestionEnabled',
  { businessId: string; questionId: string; enabledAt: string }
>;

export type QuestionDisabled = Event<
  'QuestionDisabled',
  { businessId: string; questionId: string; disabledAt: string }
>;

/** A question of the tradie's own, at most 100 characters. `trade` null makes it a general one. */
export type QuestionAdded = Event<
  'QuestionAdded',
  {
    businessId: string;
    questionId: string;
    trade: string | null;
    question: string;
    seq: number;
    addedAt: string;
  }
>;

export type EnquiryFormEvent = EnquiryFormOpened | QuestionEnabled | QuestionDisabled | QuestionAdded;
