import { useStore } from '@nanostores/react';
import { $jobCards } from '#site/jobs/job-cards-store.ts';
import { jobDetails } from '#site/jobs/job-details-store.ts';
import type { ListAppearance } from '#site/jobs/list/list-appearance-store.ts';
import { useQuery } from '#site/lib/http/use-query.ts';
import { Jobs } from './Jobs.tsx';

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
