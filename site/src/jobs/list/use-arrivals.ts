import { useEffect } from 'react';
import { type Query, useQuery } from '#site/lib/http/query.ts';

/** Those of a list's jobs that came since it is on screen and would move others there: they are shown on a press. */
export type Arrivals = Readonly<{ held?: readonly string[] }>;

/** Has a bar above the page say how many requests of this list are held back, and answers which. */
export function useArrivals<T extends Arrivals>(list: Query<T>): readonly string[] {
  const held = useQuery(list).data?.held ?? [];
  const ids = held.join();
  useEffect(() => {
    if (!ids) return;
    const show = () => list.update((now) => now && { ...now, held: [] });
    const bar = import('#site/jobs/leads/arrivals.ts');
    // Without the file they are shown at once.
    bar.then(({ showArrivals }) => showArrivals(ids.split(','), show), show);
    return () => void bar.then(({ hideArrivals }) => hideArrivals()).catch(() => {});
  }, [ids, list]);
  return held;
}
