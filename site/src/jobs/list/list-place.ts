import { isListView, type ListView, listViews } from '#core/job/status/statuses.ts';
import { tabValues } from '#site/lib/browser-storage.ts';
import { isNumber, isRecord, isText, readShaped } from '#site/lib/shape.ts';

const key = 'ute.list-place';

/** Where a tradie left a list for a job: its address and name, how many of its pages were there, and where the job stood in the window (px). */
export type ListPlace = Readonly<{ href: string; label: string; jobId: string; pages: number; top: number }>;

const isPlace = isRecord<ListPlace>({
  href: isText,
  label: isText,
  jobId: isText,
  pages: isNumber,
  top: isNumber,
});

/** The place that was left last in this tab; null where none was. */
export function readPlace(): ListPlace | null {
  return readShaped(tabValues.getItem(key), isPlace);
}

const jobPath = /^\/jobs\/details\/([^/]+)$/;

/**
 * Stores the place as a job is opened from this page, which is called `label` on the way back. `pages` answers how many
 * pages of the list are loaded.
 */
export function followPlace(label: () => string, pages: () => number): void {
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a') : null;
    const jobId = link && jobPath.exec(link.pathname)?.[1];
    if (!link || !jobId) return;
    const { top } = (link.closest('[data-job]') ?? link).getBoundingClientRect();
    const href = `${location.pathname}${location.search}`;
    const place: ListPlace = { href, label: label(), jobId, pages: pages(), top };
    tabValues.setItem(key, JSON.stringify(place));
  });
}

/** The place that Back has just led to; null where the page was opened otherwise. */
export function returnedPlace(): ListPlace | null {
  const [entry] = performance.getEntriesByType('navigation');
  const isBack = entry instanceof PerformanceNavigationTiming && entry.type === 'back_forward';
  const place = isBack ? readPlace() : null;
  return place?.href === `${location.pathname}${location.search}` ? place : null;
}

/** Brings the job to where it stood once it is drawn, with the focus on its link; a scroll of the tradie's own comes first. */
export function restorePlace({ jobId, top }: ListPlace): void {
  history.scrollRestoration = 'manual';
  const stop = new AbortController();
  isReturning = true;
  stop.signal.addEventListener('abort', () => (isReturning = false));
  const observer = new MutationObserver(() => restore());
  stop.signal.addEventListener('abort', () => observer.disconnect());
  for (const own of ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const) {
    addEventListener(own, () => stop.abort(), { signal: stop.signal, passive: true });
  }
  function restore(): void {
    const job = document.querySelector(`[data-job="${CSS.escape(jobId)}"]`);
    job?.closest('details')?.setAttribute('open', '');
    if (!job?.checkVisibility()) return;
    stop.abort();
    scrollBy({ top: job.getBoundingClientRect().top - top, behavior: 'instant' });
    job.querySelector<HTMLElement>('[data-after-answer]')?.focus({ preventScroll: true });
  }
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['aria-busy'] });
  restore();
}

let isReturning = false;

/** Whether the page is being brought back to a job: a list that is shorter than it was would stop it too early. */
export const isRestoringPlace = () => isReturning;

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

/** Brings the chip of the shown list into sight, and only sideways: the page itself stays where it is. */
export function showChosen(chips: HTMLElement | null): void {
  const chosen = chips?.querySelector('[aria-current]')?.getBoundingClientRect();
  const row = chips?.getBoundingClientRect();
  if (chips && chosen && row) chips.scrollLeft += chosen.left - row.left - (row.width - chosen.width) / 2;
}
