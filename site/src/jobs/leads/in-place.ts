import { scrollPage } from '#site/jobs/scroll-page.ts';

/** Changes what stands above the page, and scrolls by as much, so that nothing moves under a thumb. */
export function inPlace(change: () => void): void {
  const top = () => document.querySelector('main')?.getBoundingClientRect().top ?? 0;
  // Chrome would scroll as well, though not at the top of a page.
  document.documentElement.dataset['steady'] = '';
  const before = top();
  change();
  const by = top() - before;
  if (by !== 0) scrollPage(by);
}
