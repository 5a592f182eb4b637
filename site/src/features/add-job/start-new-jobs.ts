import { openNewJobsPage, showForm } from './form-open-store.ts';

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
