import { jobLength } from '#core/values/job-length.ts';

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

type Scheduled = Readonly<{ scheduledAt: string | null; status: JobStatus }>;

/** Whether a job still has to be driven to, or is being worked on: it was taken on, is not done, and its hour is not over. */
export function isAhead({ scheduledAt, status }: Scheduled, now: Date): boolean {
  return isToDo(status) && scheduledAt !== null && now.getTime() < Date.parse(scheduledAt) + jobLength;
}

/** Whether a job's hour went by and its work is not done. */
export function isLate({ scheduledAt, status }: Scheduled, now: Date): boolean {
  return isToDo(status) && scheduledAt !== null && now.getTime() >= Date.parse(scheduledAt) + jobLength;
}

function isToDo(status: JobStatus): boolean {
  return isUnfinished(status) && !hidesContact(status);
}

/** The customer's email and phone are withheld by the server while the job waits or was turned down. */
export function hidesContact(status: JobStatus): boolean {
  return status === 'Pending' || status === 'Rejected';
}

/** Whether the customer's contact, which every answer since the acceptance held, is withheld from now on. */
export function hidesAgain(
  before: Readonly<{ status: JobStatus }>,
  after: Readonly<{ status: JobStatus }>,
): boolean {
  return hidesContact(after.status) && !hidesContact(before.status);
}

export function isWorkingStatus(value: unknown): value is WorkingStatus {
  return workingStatuses.some((status) => status === value);
}

/** Why the tradie was not alerted to a request: too many came at once, or the bot check was unavailable. */
export const heldReasons = ['rush', 'unchecked'] as const;
export type HeldFor = (typeof heldReasons)[number];

/** What the tradie reads about it on a card; `held-words.ts` has what stands with the job. */
export const heldBadge = 'Held for review';

/** The lists of jobs: which jobs, in which order, and the key of their count. */
export const listViews = {
  today: { label: 'Today', filter: 'today', sort: 's.date', dir: 'asc', count: 'today' },
  new: { label: 'New', filter: 'Pending,Rejected,To quote', sort: 'createdAt', dir: 'asc', count: 'new' },
  'in-progress': {
    label: 'In progress',
    filter: 'In progress,Quoted,Invoice sent',
    sort: 'scheduledAt',
    dir: 'asc',
    count: 'inProgress',
  },
  all: { label: 'All jobs', filter: '', sort: 'createdAt', dir: 'desc', count: 'all' },
} as const;

export type ListView = keyof typeof listViews;
export type JobCounts = Record<(typeof listViews)[ListView]['count'], number>;
export type JobSort = (typeof listViews)[ListView]['sort'];

export const listViewNames = Object.keys(listViews) as ListView[];

export function isListView(value: unknown): value is ListView {
  return typeof value === 'string' && Object.hasOwn(listViews, value);
}

/** The statuses a view shows; every status where it has no filter of its own. */
export function statusesOf(view: 'new' | 'in-progress'): JobStatus[] {
  return listViews[view].filter.split(',') as JobStatus[];
}
