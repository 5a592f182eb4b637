import { atom } from 'nanostores';
import { carrySearch } from '#site/jobs/list/carried-search.ts';
import { viewPath } from '#site/jobs/view-path.ts';
import { createSearch } from '#site/lib/search.ts';

const text = atom('');
export const $dashboardSearch = text;

export function typeDashboardSearch(value: string): void {
  text.set(value);
}

/** The list that is on its way; null while none is. */
let leaving: { to: string; wanted: string } | null = null;

// Letters are still typed here until the list is there.
function carry(): void {
  if (leaving && text.get().trim() !== leaving.wanted) carrySearch(text.get(), leaving.to);
  leaving = null;
}

/** A search from the dashboard is answered by the list of all jobs. */
export const dashboardSearch = createSearch(async (wanted) => {
  if (!wanted) return;
  const to = `${viewPath('all')}&search=${encodeURIComponent(wanted)}`;
  leaving = { to, wanted };
  // The same function again is one listener still.
  addEventListener('pagehide', carry);
  location.assign(to);
});
