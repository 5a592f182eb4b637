import { useStore } from '@nanostores/react';
import { jobCounts } from '#site/jobs/job-stores.ts';
import { noteFirstStep } from '#site/lib/first-steps.ts';
import { useQuery } from '#site/lib/http/query.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { KelFace } from '#site/ui/drawn-again.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { shareJobForm } from '#site/ui/share-job-form.ts';

/** An empty list: how jobs come in. Sharing the job form is offered while the business has no job at all. */
export function NoJobs({ title }: Readonly<{ title: string }>) {
  const slug = useStore($session, { ssr: () => null })?.user?.slug;
  const isFirst = useQuery(jobCounts).data?.all === 0;
  const share = async (link: string) => {
    if (await shareJobForm(link)) noteFirstStep({ isShared: true });
  };
  return (
    <>
      <KelFace className="empty__kel" />
      <h2>{title}</h2>
      {isFirst && (
        <p>Nothing has come in yet. Share your job form, or put in a job somebody phoned you about.</p>
      )}
      <div className="empty__do">
        {isFirst && slug && (
          <button className="btn btn--primary btn--lg" type="button" onClick={() => void share(slug)}>
            <Icon name="share" />
            <span>Share your job form</span>
          </button>
        )}
        <a className="btn btn--secondary btn--lg" href="/jobs/add">
          <Icon name="plus" />
          <span>Add new job</span>
        </a>
      </div>
    </>
  );
}
