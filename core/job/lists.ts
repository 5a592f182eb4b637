import type { JobStatus } from './statuses.ts';

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
