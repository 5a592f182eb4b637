/** Where a tab stores the ids of the urgent jobs that its bar is about. */
export const pressingKey = 'ute.urgent';
/** The menu has no room for two digits. */
const most = 9;

/** Shows at Jobs how many requests wait for an answer. */
export function showLeadCount(count: number): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-leads]')) {
    place.hidden = !count;
    const words = Object.assign(document.createElement('span'), { className: 'sr', textContent: ' waiting' });
    place.replaceChildren(count > most ? `${most}+` : String(count), words);
  }
}
