import { countCharacters, tooLongMessage } from './text.ts';

/** How many years the details are stored of customers whose jobs were worked on: by itself, and what a business may choose. */
export const retentionYears = { standard: 7, least: 5, most: 10 } as const;

export const retentionPeriodMessage = `Choose ${retentionYears.least} to ${retentionYears.most} years`;

/** Whether a business may store details for so many years. */
export function isRetentionPeriod(years: number): boolean {
  return Number.isInteger(years) && years >= retentionYears.least && years <= retentionYears.most;
}

/** How long a removal of details can be taken back, in days, by whose they are: a business is more than one customer. */
export const graceDays = { jobs: 7, demo: 7, account: 30, business: 30 } as const;

/** Jobs of one customer whose details are removed at once, beside the one on the page; more than `freely` with the password. */
export const jobsBeside = { most: 99, freely: 9 } as const;

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

/** Whom a record of a job is made for: it decides which fields are open. */
export const recordAudiences = ['owner', 'customer'] as const;
export type RecordAudience = (typeof recordAudiences)[number];

/** Who had a record of a job made. */
export const recordMakers = ['tradie', 'customer', 'operator'] as const;
export type RecordMaker = (typeof recordMakers)[number];

/** How far ahead a dispute may keep what is known of a job, in months, and the letters of its reason. */
export const disputeLimits = { months: 12, reason: 300 } as const;

export const disputeUntilMessage = `Choose a day within the next ${disputeLimits.months} months`;
export const disputeReasonMessage = tooLongMessage(disputeLimits.reason);

/** What is wrong with how long, and why, something is not to be erased, by field; `{}` when nothing is. */
export function keepingProblems(
  { until, reason }: Readonly<{ until: string; reason: string }>,
  at: string,
): Readonly<Record<string, string>> {
  const latest = new Date(at);
  latest.setUTCMonth(latest.getUTCMonth() + disputeLimits.months);
  const isInTime = Date.parse(until) > Date.parse(at) && Date.parse(until) <= latest.getTime();
  return {
    ...(!isInTime && { until: disputeUntilMessage }),
    ...(countCharacters(reason) > disputeLimits.reason && { reason: disputeReasonMessage }),
  };
}

/** What an erased text reads as. */
export const ERASED = '[erased]';

/** What an erased area reads as: degrees and metres of none. */
export const ERASED_AREA = { lat: 0, lng: 0, radius: 0 } as const;
