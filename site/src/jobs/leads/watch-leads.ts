import { jobCounts } from '#site/jobs/job-stores.ts';
import { tabValues } from '#site/lib/browser-storage.ts';
import { refreshQueries } from '#site/lib/http/query.ts';
import { followLive } from '#site/lib/live.ts';
import { pressingKey, showLeadCount } from './lead-count.ts';

/**
 * Shows what waits, and from now on what arrives, on whatever page is open: how many wait at Jobs, first as an earlier page of the tab
 * knew it, and a bar for what is urgent.
 */
export function watchLeads(): void {
  // A page without the menu asks for nothing.
  if (document.querySelector('[data-leads]')) {
    jobCounts.$state.subscribe(({ data }) => data && showLeadCount(data.waiting));
  }
  // Without the file or an answer, the next change looks again.
  const look = (changed?: string) =>
    void import('./lead-bar.ts').then((bar) => bar.lookAtLeads(changed)).catch(() => {});
  if (tabValues.getItem(pressingKey)) look();
  followLive((message) => {
    const changed = message.type === 'change' ? message.change : null;
    if (changed && changed.kind !== 'job') return;
    refreshQueries((key) => key === 'job-counts');
    if (changed) look(changed.id);
  });
}
