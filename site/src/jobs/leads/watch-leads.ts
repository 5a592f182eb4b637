import { tabValues } from '#site/lib/browser-storage.ts';
import { followLive } from '#site/lib/live.ts';
import { pressingKey, showKnownLeads } from './lead-count.ts';

/** Shows from now on what arrives, on whatever page is open: how many wait, and a bar for what is urgent. */
export function watchLeads(): void {
  showKnownLeads();
  // Without the file or an answer, the next change looks again.
  const look = (changed?: string) =>
    void import('./lead-bar.ts').then((bar) => bar.lookAtLeads(changed)).catch(() => {});
  if (tabValues.getItem(pressingKey)) look();
  followLive((message) => {
    if (message.type === 'change' && message.change.kind === 'job') look(message.change.id);
  });
}
