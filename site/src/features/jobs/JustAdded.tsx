import { useStore } from '@nanostores/react';
import { useQuery } from '#site/lib/use-query.ts';
import { Jobs } from './Jobs.tsx';
import { $jobCards } from './job-cards-store.ts';
import { jobDetails } from './job-details-store.ts';
import type { ListAppearance } from './list-appearance-store.ts';

type Props = Readonly<{ jobId: string; timeZone: string; appearance: ListAppearance }>;

const bringIntoView = (section: HTMLElement | null) => section?.scrollIntoView({ block: 'nearest' });

/** The job that was just added, in sight: its own place is at the end of a list that may be long. */
export function JustAdded({ jobId, timeZone, appearance }: Props) {
  useQuery(jobDetails(jobId));
  const job = useStore($jobCards, { keys: [jobId], ssr: 'initial' })[jobId];
  if (!job) return null;
  return (
    <section className="just-added" aria-labelledby="just-added" ref={bringIntoView}>
      <h2 id="just-added" className="just-added__title">
        Just added
      </h2>
      <Jobs jobs={[job]} timeZone={timeZone} appearance={appearance} />
    </section>
  );
}
