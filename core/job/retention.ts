import { hidesContact, type JobStatus } from './statuses.ts';

/** Which rule a customer's details are stored by: the job was never accepted, or it was worked on. */
export type RetentionRule = 'never-accepted' | 'worked-on';

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

/** How long after a job's last event its customer's details are stored, in months. */
export const retentionMonths: Readonly<Record<RetentionRule, number>> = {
  'never-accepted': 12,
  'worked-on': 84,
};

/** The rule for a job in this status. */
export function retentionRule(status: JobStatus): RetentionRule {
  return hidesContact(status) ? 'never-accepted' : 'worked-on';
}

/** Until when a customer's details are stored by this rule: so many months after the job's last event. */
export function retainedUntil(rule: RetentionRule, lastEventAt: Date): Date {
  return monthsFrom(lastEventAt, retentionMonths[rule]);
}

/**
 * Before which instant the last event of a job lies whose time is over by this rule: the same day and time of the UTC calendar, months
 * ago, or the last day of a shorter month.
 */
export function retentionEnd(rule: RetentionRule, now: Date): Date {
  return monthsFrom(now, -retentionMonths[rule]);
}

function monthsFrom(from: Date, months: number): Date {
  const end = new Date(from);
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + months);
  const days = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(from.getUTCDate(), days));
  return end;
}
