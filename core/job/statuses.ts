/** Who asks for a job: a customer of the business, or the product itself. */
export type JobType = 'Consumer' | 'WorkOrder';

/** The nine statuses of a job, in the order in which a job usually meets them. */
export const jobStatuses = [
  'Pending',
  'Rejected',
  'To quote',
  'In progress',
  'Quoted',
  'Completed',
  'Invoice sent',
  'Paid',
  'Unsuccessful',
] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** What the status dropdown offers once a job is not Pending: any of them, in any order. */
export const workingStatuses = [
  'To quote',
  'In progress',
  'Quoted',
  'Completed',
  'Invoice sent',
  'Paid',
  'Unsuccessful',
] as const satisfies readonly JobStatus[];
export type WorkingStatus = (typeof workingStatuses)[number];

/** Work on a job in one of these may still be ahead. */
export const unfinishedStatuses = [
  'Pending',
  'To quote',
  'In progress',
  'Quoted',
] as const satisfies readonly JobStatus[];

export function isUnfinished(status: JobStatus): boolean {
  return unfinishedStatuses.some((unfinished) => unfinished === status);
}

const DAY = 24 * 60 * 60_000;

/** For how many whole days of 24 hours a job has waited for its answer; 0 on the first one, and once it is answered. */
export function daysWaiting(
  { status, createdAt }: Readonly<{ status: JobStatus; createdAt: string }>,
  now: Date,
): number {
  if (status !== 'Pending') return 0;
  return Math.max(0, Math.floor((now.getTime() - Date.parse(createdAt)) / DAY));
}

/** The customer's email and phone are withheld by the server while the job waits or was turned down. */
export function hidesContact(status: JobStatus): boolean {
  return status === 'Pending' || status === 'Rejected';
}

export function isWorkingStatus(value: unknown): value is WorkingStatus {
  return workingStatuses.some((status) => status === value);
}

/** Why the tradie was not alerted to a request: too many came at once, or the bot check was unavailable. */
export const heldReasons = ['rush', 'unchecked'] as const;
export type HeldFor = (typeof heldReasons)[number];

/** What the tradie reads about it, on a card and with the job. */
export const heldBadge = 'Held for review';
export const heldWords: Record<HeldFor, string> = {
  rush: 'Many requests came at once, so we did not alert you to this one. Accept it if it is genuine, else reject it.',
  unchecked:
    'We could not check that a person sent this, so we did not alert you to it. Accept it if it is genuine, else reject it.',
};
