import { atom } from 'nanostores';
import { $isWide } from '#site/lib/media-store.ts';
import { makeRoom, opensForm } from './form-open.ts';

const addedKey = 'ute.job-added';

const isOpen = atom(false);
/** Whether the form stands beside the New list, or over it on a phone. */
export const $isFormOpen = isOpen;

isOpen.listen(makeRoom);

/** Takes over from the address; a phone that has just added a job is shown the list instead. */
export function openNewJobsPage(search: string): void {
  const hasJustAdded = sessionStorage.getItem(addedKey) !== null;
  sessionStorage.removeItem(addedKey);
  isOpen.set(opensForm(search) && !(hasJustAdded && !$isWide.get()));
}

/** Opens or closes the form; the address says so too, for a reload. */
export function showForm(shown: boolean): void {
  const url = new URL(location.href);
  if (shown) url.searchParams.delete('view');
  else url.searchParams.set('view', 'new');
  history.replaceState(history.state, '', url);
  isOpen.set(shown);
}

/** A job was added here: a laptop keeps the form for the next one, a phone gives the list back. */
export function closeAfterAdding(): void {
  if (!$isWide.get()) isOpen.set(false);
}

/** Goes to the New list, where the job that was just added is. */
export function leaveForNewJobs(): void {
  sessionStorage.setItem(addedKey, '1');
  location.assign('/jobs/new');
}
