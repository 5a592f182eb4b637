import type { Command } from '#core/kernel/decider.ts';

type Of = Readonly<{ businessId: string }>;

/** `trades` are the ids of at most three trades. */
export type OpenEnquiryForm = Command<'OpenEnquiryForm', Of & { trades: readonly string[] }>;
export type EnableQuestion = Command<'EnableQuestion', Of & { questionId: string }>;
export type DisableQuestion = Command<'DisableQuestion', Of & { questionId: string }>;
/** A question of the tradie's own; `trade` null makes it a general one. Its place in the order is decided here. */
export type AddQuestion = Command<
  'AddQuestion',
  Of & { questionId: string; trade: string | null; question: string }
>;

/** Its business is closed for good. */
export type CloseEnquiryForm = Command<'CloseEnquiryForm', Of & { erasureId: string }>;

export type EnquiryFormCommand =
  | OpenEnquiryForm
  | EnableQuestion
  | DisableQuestion
  | AddQuestion
  | CloseEnquiryForm;
