import { isListView, type ListView, listViews } from '#core/job/statuses.ts';

/** Where a list lives. The view travels in the query too: `/jobs/new` without it is the form to add a job. */
export function viewPath(view: ListView): string {
  return `/jobs/${view}?view=${view}`;
}

/** The view of a path such as `/jobs/new`; all jobs where it names none. */
export function viewOf(pathname: string): ListView {
  const name = pathname.split('/')[2];
  return isListView(name) ? name : 'all';
}

/** The title of a list: the view's label, or 'All Jobs'. */
export function viewTitle(view: ListView): string {
  return view === 'all' ? 'All Jobs' : listViews[view].label;
}
