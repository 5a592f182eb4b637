import { useStore } from '@nanostores/react';
import { JobGrid } from '#site/jobs/list/JobGrid.tsx';
import { $question } from '#site/jobs/list/job-list-page-store.ts';

/** The jobs that a search found, in the place of the dashboard. */
export function Found() {
  const question = useStore($question, { ssr: () => null });
  return (
    <>
      <h2 className="sr">Jobs</h2>
      {question && <JobGrid key={JSON.stringify(question)} question={question} />}
    </>
  );
}
