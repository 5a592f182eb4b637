import { refreshQueries } from '#site/lib/http/query.ts';
import { followLive } from '#site/lib/live.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { dayKey } from '#site/lib/time/moments.ts';
import { announce } from '#site/ui/Announcement.tsx';
import { sendWaiting } from './changes/wait-for-signal.ts';
import { $jobCards, followJobCounts } from './job-stores.ts';

/** Jobs that a notification named and this page has not fetched yet. */
const expected = new Set<string>();

/** Refreshes counts and lists on this page from now on, and announces new jobs. Of a change the shell refreshes the counts. */
export function followJobs(): void {
  followJobCounts();
  $jobCards.listen((cards) => {
    for (const id of expected) {
      const job = cards[id];
      if (!job) continue;
      expected.delete(id);
      if (job.status === 'Pending') announce(`New job: ${job.title}`);
    }
  });
  const refresh = () => refreshQueries((key) => key.startsWith('job'));
  followDays(refresh);
  followLive((message) => {
    if (message.type === 'change') {
      const { kind, id } = message.change;
      if (kind !== 'job') return;
      if (!$jobCards.get()[id]) expected.add(id);
    } else sendWaiting();
    refreshQueries((key) => /^job(?!-counts)/.test(key));
  });
}

const minute = 60_000;

/** Calls back when the clocks of the business's IANA zone show another day, and those of a server that is a minute behind as well. */
export function followDays(onDay: () => void): void {
  let known: string | undefined;
  setInterval(() => {
    const timeZone = $session.get()?.user?.timeZone;
    const day = timeZone && dayKey(new Date(Date.now() - minute), timeZone);
    if (known && day !== known) onDay();
    known = day;
  }, minute);
}
