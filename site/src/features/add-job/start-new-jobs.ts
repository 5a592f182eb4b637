import { openNewJobsPage, showForm } from './form-open-store.ts';

openNewJobsPage(location.search);
// What leads to the form from this very page needs no new page.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[href="/jobs/new"]') : null;
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  showForm(true);
});
