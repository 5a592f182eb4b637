import { hidesContact, type JobStatus } from '#core/job/status/statuses.ts';

/** Which rule a customer's details are stored by: the job was never accepted, or it was worked on. */
export type RetentionRule = 'never-accepted' | 'worked-on';

/** How long after a job's last event its customer's details are stored, in months; `years` is what its business chose. */
function retentionMonths(rule: RetentionRule, years: number): number {
  return rule === 'never-accepted' ? 12 : 12 * years;
}

/** The rule for a job in this status. */
export function retentionRule(status: JobStatus): RetentionRule {
  return hidesContact(status) ? 'never-accepted' : 'worked-on';
}

/** Until when a customer's details are stored by this rule: so many months after the job's last event. */
export function retainedUntil(rule: RetentionRule, lastEventAt: Date, years: number): Date {
  return monthsFrom(lastEventAt, retentionMonths(rule, years));
}

/**
 * Before which instant the last event of a job lies whose time is over by this rule: the same day and time of the UTC calendar, months
 * ago, or the last day of a shorter month.
 */
export function retentionEnd(rule: RetentionRule, now: Date, years: number): Date {
  return monthsFrom(now, -retentionMonths(rule, years));
}

function monthsFrom(from: Date, months: number): Date {
  const end = new Date(from);
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + months);
  const days = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(from.getUTCDate(), days));
  return end;
}
