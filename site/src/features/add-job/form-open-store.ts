import { atom } from 'nanostores';
import { showJustAdded } from '#site/jobs/list/job-list-store.ts';
import { tabValues } from '#site/lib/browser-storage.ts';
import { $isWide } from '#site/ui/screen-store.ts';
import { makeRoom, opensForm } from './form-open.ts';

const addedKey = 'ute.job-added';

const isOpen = atom(false);
/** Whether the form stands beside the New list, or over it on a phone. */
export const $isFormOpen = isOpen;

isOpen.listen(makeRoom);

/** Takes over from the address; a phone that has just added a job is shown the list instead. */
export function openNewJobsPage(search: string): void {
  const added = tabValues.getItem(addedKey);
  tabValues.removeItem(addedKey);
  if (added) showJustAdded(added);
  isOpen.set(opensForm(search) && !(added && !$isWide.get()));
}

/** Opens or closes the form; the address follows, for a reload. */
export function showForm(shown: boolean): void {
  const url = new URL(location.href);
  if (shown) url.searchParams.delete('view');
  else url.searchParams.set('view', 'new');
  history.replaceState(history.state, '', url);
  isOpen.set(shown);
}

/** A job was added here: on a laptop the form stays for the next one, on a phone the list comes back. */
export function closeAfterAdding(jobId: string): void {
  showJustAdded(jobId);
  if (!$isWide.get()) isOpen.set(false);
}

/** Goes to the New list, where the job that was just added is. */
export function leaveForNewJobs(jobId: string): void {
  tabValues.setItem(addedKey, jobId);
  location.assign('/jobs/new');
}

/** Opens and closes the form beside the New list, by the address and by what leads to it. */
export function startNewJobs(): void {
  openNewJobsPage(location.search);
  // What leads to the form from this very page needs no new page.
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href="/jobs/new"]') : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    showForm(true);
  });
}
