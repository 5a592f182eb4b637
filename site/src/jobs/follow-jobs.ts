import { refreshQueries } from '#site/lib/http/query.ts';
import { followLive } from '#site/lib/live.ts';
import { announce } from '#site/ui/Announcement.tsx';
import { $jobCards, followJobCounts } from './job-stores.ts';

/** Jobs that a notification named and this page has not fetched yet. */
const expected = new Set<string>();

/** Refreshes counts and lists on this page from now on, and announces new jobs. */
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
  followLive((message) => {
    if (message.type === 'change') {
      if (message.change.kind !== 'job') return;
      if (!$jobCards.get()[message.change.id]) expected.add(message.change.id);
    }
    refreshQueries((key) => key.startsWith('job'));
  });
}
