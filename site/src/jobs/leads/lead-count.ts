import { tabValues } from '#site/lib/browser-storage.ts';

const countKey = 'ute.leads';
/** Where a tab stores the ids of the urgent jobs that its bar is about. */
export const pressingKey = 'ute.urgent';
/** The menu has no room for two digits. */
const most = 9;

/** Shows at Jobs how many requests wait for an answer. The next page of the tab begins with it. */
export function showLeadCount(count: number): void {
  tabValues.setItem(countKey, String(count));
  for (const place of document.querySelectorAll<HTMLElement>('[data-leads]')) {
    place.hidden = count === 0;
    const words = Object.assign(document.createElement('span'), { className: 'sr', textContent: ' waiting' });
    place.replaceChildren(count > most ? `${most}+` : String(count), words);
  }
}

/** Shows what an earlier page of the tab knew. */
export function showKnownLeads(): void {
  showLeadCount(Number(tabValues.getItem(countKey)) || 0);
}
