/** What a business can say to a correction that its customer asked for. */
export const correctionAnswers = ['agreed', 'refused'] as const;
export type CorrectionAnswer = (typeof correctionAnswers)[number];

/** Why a business may keep the details of a customer who asked for their removal. */
export const keepReasons = ['unfinished', 'guarantee', 'law', 'dispute'] as const;
export type KeepReason = (typeof keepReasons)[number];

/** The reasons in words, as the rest of a sentence that begins with "because". */
export const keepReasonWords: Readonly<Record<KeepReason, string>> = {
  unfinished: 'the work or its payment is not finished',
  guarantee: 'a guarantee or warranty for the work still runs',
  law: 'a law requires a record of the work',
  dispute: 'there is a dispute about the work',
};
