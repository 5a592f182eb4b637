import { useStore } from '@nanostores/react';
import { isUnfinished } from '#core/job/status/statuses.ts';
import type { JobCardView } from '#core/job/view.ts';
import { suburbIn } from '#core/values/place.ts';
import { useQuery } from '#site/lib/http/query.ts';
import { dayKey } from '#site/lib/time/moments.ts';
import type { BusyDays } from '#site/ui/schedule/SchedulePicker.tsx';
import { $jobCards } from './job-stores.ts';
import { type Schedule, schedule } from './schedule-store.ts';

/** What the schedule holds besides a job, null for a new one; nothing until it is loaded, or where it cannot be. */
export function useBusyDays(jobId: string | null): BusyDays {
  const { data } = useQuery(schedule);
  const cards = useStore($jobCards, { ssr: 'initial' });
  return data ? busyDays(data, cards, jobId) : {};
}

export function busyDays(
  { counts, jobs, timeZone }: Pick<Schedule, 'counts' | 'jobs' | 'timeZone'>,
  cards: Readonly<Record<string, JobCardView>>,
  jobId: string | null,
): BusyDays {
  const own = jobId === null ? null : cards[jobId]?.scheduledAt;
  const ownDay = own ? dayKey(own, timeZone) : null;
  const days = Object.entries(counts).map(([day, count]) => {
    const others = (jobs[day] ?? []).filter((id) => id !== jobId);
    const bookings = others.flatMap((id) => {
      const card = cards[id];
      // Work that is done holds no hour any more.
      if (!card?.scheduledAt || !isUnfinished(card.status)) return [];
      return [{ at: card.scheduledAt, name: card.name, place: suburbIn(card.location.address) }];
    });
    return [day, { count: count - (day === ownDay ? 1 : 0), bookings }] as const;
  });
  return Object.fromEntries(days);
}
