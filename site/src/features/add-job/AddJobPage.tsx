import { useStore } from '@nanostores/react';
import { $session } from '#site/lib/session/session-store.ts';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { AddJobForm } from './AddJobForm.tsx';
import { FormSkeleton } from './FormSkeleton.tsx';
import { leaveForNewJobs } from './form-open-store.ts';

/** The form alone. After the job is made it goes to the New list. */
export function AddJobPage() {
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone;
  return (
    <FaultBoundary>
      {timeZone ? (
        <AddJobForm timeZone={timeZone} announces="next page" onCreated={leaveForNewJobs} />
      ) : (
        <FormSkeleton />
      )}
    </FaultBoundary>
  );
}
