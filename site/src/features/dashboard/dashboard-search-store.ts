import { atom } from 'nanostores';
import { carrySearch } from '#site/features/jobs/carried-search.ts';
import { viewPath } from '#site/features/jobs/view-path.ts';
import { createSearch } from '#site/lib/search.ts';

const text = atom('');
export const $dashboardSearch = text;

export function typeDashboardSearch(value: string): void {
  text.set(value);
}

/** A search from the dashboard is answered by the list of all jobs. */
export const dashboardSearch = createSearch(async (wanted) => {
  if (!wanted) return;
  // Letters are still typed here until the list is there.
  addEventListener('pagehide', () => text.get().trim() !== wanted && carrySearch(text.get()), { once: true });
  location.assign(`${viewPath('all')}&search=${encodeURIComponent(wanted)}`);
});
