import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import { jobDetails } from '#site/jobs/job-details-store.ts';
import { OfflineNote } from '#site/jobs/OfflineNote.tsx';
import { useQuery } from '#site/lib/http/use-query.ts';
import { Announcement } from '#site/ui/Announcement.tsx';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { BackLink } from './BackLink.tsx';
import { JobDetails } from './JobDetails.tsx';
import { JobDetailsSkeleton } from './JobDetailsSkeleton.tsx';
import { $jobId } from './job-details-page-store.ts';
import { UnopenedJob } from './UnopenedJob.tsx';

/** The job that the address names, with its waiting, missing and failed states. */
export function JobDetailsPage() {
  const id = useStore($jobId, { ssr: 'initial' });
  return (
    <FaultBoundary>
      {id === null ? <JobDetailsSkeleton /> : <LoadedJob id={id} />}
      <Announcement />
    </FaultBoundary>
  );
}

function LoadedJob({ id }: { id: string }) {
  const query = jobDetails(id);
  const state = useQuery(query);
  const { data, status, error } = state;
  if (data) {
    return (
      <>
        <OfflineNote shown={state} what="This is the job" />
        <JobDetails job={data} />
      </>
    );
  }
  if (data === null) return <Notice title="Job not found" />;
  if (status === 'pending') return <UnopenedJob id={id} state={state} />;
  return (
    <Notice title="This job could not be loaded" text={error?.message ?? ''}>
      <button type="button" className="btn btn--secondary" onClick={() => void query.refresh()}>
        Try again
      </button>
    </Notice>
  );
}

type NoticeProps = Readonly<{ title: string; text?: string; children?: ReactNode }>;

function Notice({ title, text, children }: NoticeProps) {
  return (
    <>
      <BackLink />
      <div className="empty" role="status">
        <h1>{title}</h1>
        {text && <p>{text}</p>}
        {children}
      </div>
    </>
  );
}
