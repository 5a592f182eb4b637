import { jobCounts, storeJob } from '#site/jobs/job-stores.ts';
import { tabsChannel } from '#site/lib/browser-storage.ts';
import { askBeforeLeaving } from '#site/lib/offline/leaving.ts';
import { aloneAmongTabs } from '#site/lib/secure/tab-work.ts';
import { accountOf } from '#site/lib/session/session-storage.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { createChangeQueue } from './change-queue.ts';
import { isServerThere, sendChange } from './send-change.ts';
import { storedChanges } from './stored-changes.ts';

const name = 'ute.changes';
const tabs = tabsChannel(name);
let timer: ReturnType<typeof setTimeout> | undefined;

/** The changes of this browser. */
export const changeQueue = createChangeQueue({
  stored: storedChanges,
  isThere: isServerThere,
  send: sendChange,
  account: () => {
    const token = $session.get()?.token;
    return token === undefined ? undefined : accountOf(token);
  },
  now: () => Date.now(),
  onAnswer(job) {
    storeJob(job);
    void jobCounts.refresh();
  },
  publish: () => tabs?.postMessage(null),
  later(seconds, work) {
    clearTimeout(timer);
    timer = setTimeout(work, seconds * 1_000);
  },
  alone: (work) => aloneAmongTabs(name, work),
});

/** Reads again what is stored whenever another tab changed it, and sends what waits as the network or the user comes back. */
export function followChanges(): void {
  askBeforeLeaving(changeQueue.$isStored);
  tabs?.addEventListener('message', () => void changeQueue.read());
  addEventListener('online', () => void changeQueue.retry());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void changeQueue.retry();
  });
}
