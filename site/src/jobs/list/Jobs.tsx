import { useStore } from '@nanostores/react';
import type { Elements } from 'react/jsx-runtime';
import type { ListView } from '#core/job/status/statuses.ts';
import type { JobCardView } from '#core/job/view.ts';
import { JobCard, JobCardSkeleton } from '#site/jobs/JobCard.tsx';
import { JobRow, JobRowSkeleton } from '#site/jobs/JobRow.tsx';
import type { ListAppearance } from './list-appearance-store.ts';
import './new-groups.css';
import { memo, useId, useState } from 'react';
import { $waiting } from '#site/jobs/changes/changes-store.ts';
import { howManyWait } from '#site/jobs/leads/lead-order.ts';
import { StatusIcon } from '#site/jobs/StatusBadge.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { groupNewJobs } from './job-list-store.ts';

type Props = Readonly<{ jobs: readonly JobCardView[]; timeZone: string; appearance: ListAppearance }>;

// A list that grows by pieces draws each job once.
const Card = memo(JobCard);
const Row = memo(JobRow);

/** Jobs in the order given, as cards or as rows. */
export function Jobs({ jobs, timeZone, appearance }: Props) {
  if (appearance === 'cards') {
    return (
      <div className="job-grid">
        {jobs.map((job, place) => (
          <Card key={job.id} job={job} timeZone={timeZone} isFirst={place === 0} />
        ))}
      </div>
    );
  }
  return (
    <div className="card stack-card">
      {jobs.map((job) => (
        <Row key={job.id} job={job} timeZone={timeZone} lead="status" withAnswer />
      ))}
    </div>
  );
}

/** Jobs of a list that are on their way. */
export function JobsSkeleton({ view, appearance }: Pick<Props, 'appearance'> & { view: ListView }) {
  if (view === 'new' && appearance === 'cards') return <NewGroupsSkeleton />;
  const places = [1, 2, 3, 4, 5, 6];
  return appearance === 'cards' ? (
    <div className="job-grid">
      {places.map((place) => (
        <JobCardSkeleton key={place} />
      ))}
    </div>
  ) : (
    <div className="card stack-card" aria-hidden="true">
      {places.map((place) => (
        <JobRowSkeleton key={place} />
      ))}
    </div>
  );
}

type NewGroupsProps = Readonly<{
  /** In the list's order. */
  jobs: readonly JobCardView[];
  timeZone: string;
  appearance: ListAppearance;
  /** Whether the list goes on: a group is then not counted. */
  hasMore: boolean;
  /** Whether a search chose the jobs: each of them is then in sight. */
  isSearch: boolean;
}>;

/** The New list as what there is to do: answer, quote, and what was turned down, folded. */
export function NewGroups({ jobs, timeZone, appearance, hasMore, isSearch }: NewGroupsProps) {
  const { waiting, toQuote, rejected } = groupNewJobs(jobs);
  const queued = useStore($waiting, { ssr: 'initial' });
  const left = waiting.filter(({ id }) => !queued[id]);
  // The group stays after its last answer: its heading has the focus then.
  const [hadWaiting, setHadWaiting] = useState(false);
  if (waiting.length > 0 && !hadWaiting) setHadWaiting(true);
  return (
    <>
      {hadWaiting && (
        <Group title="Waiting on you" count={howManyWait(left)} order="Urgent first" takesAnswers>
          <Waiting jobs={waiting} next={left[0]} timeZone={timeZone} appearance={appearance} />
        </Group>
      )}
      {toQuote.length > 0 && (
        <Group title="To quote" count={hasMore ? null : toQuote.length} order="Oldest first">
          <div className="card stack-card">
            {toQuote.map((job) => (
              <JobRow key={job.id} job={job} timeZone={timeZone} lead="status" withStatus={false} />
            ))}
          </div>
        </Group>
      )}
      {rejected[0] && (
        <section className="group" aria-label="Rejected">
          <details className="fold" open={isSearch}>
            <summary>
              <StatusIcon job={rejected[0]} isNamed />
              <span>Rejected</span>
              {!hasMore && <span className="group__n">{rejected.length}</span>}
              <small>You can still accept it</small>
              <Icon name="chevron-down" />
            </summary>
            {rejected.map((job) => (
              <JobRow
                key={job.id}
                job={job}
                timeZone={timeZone}
                lead="status"
                withStatus={false}
                withWhen={false}
                withAnswer
              />
            ))}
          </details>
        </section>
      )}
    </>
  );
}

type GroupProps = Readonly<{
  title: string;
  count: number | string | null;
  order: string;
  /** Whether the keyboard goes from one answered job of the group to the next. */
  takesAnswers?: boolean;
  children: Elements;
}>;

function Group({ title, count, order, takesAnswers, children }: GroupProps) {
  const id = useId();
  return (
    <section className="group" aria-labelledby={id} data-answers={takesAnswers}>
      <div className="group__head">
        <h2 id={id} tabIndex={-1} data-answers-heading>
          {title}
        </h2>
        {count !== null && <span className="group__n">{count}</span>}
        <span className="group__sort">{order}</span>
      </div>
      {children}
    </section>
  );
}

type WaitingProps = Props & Readonly<{ next: JobCardView | undefined }>;

function Waiting({ jobs, next, timeZone, appearance }: WaitingProps) {
  if (jobs.length === 0) return <p className="card muted">Nothing is waiting. New requests show up here.</p>;
  if (appearance === 'cards') {
    return (
      <div className="job-grid job-grid--leads">
        {jobs.map((job) => (
          <JobCard key={job.id} job={job} timeZone={timeZone} isNext={job === next} />
        ))}
      </div>
    );
  }
  return (
    <div className="card stack-card">
      {jobs.map((job) => (
        <JobRow
          key={job.id}
          job={job}
          timeZone={timeZone}
          lead="status"
          withStatus={false}
          withAge
          withAnswer
        />
      ))}
    </div>
  );
}

/** The first group, on its way: its heading and two cards. */
function NewGroupsSkeleton() {
  return (
    <div className="group" aria-hidden="true">
      <div className="group__head">
        <span className="sk sk--group" />
      </div>
      <div className="job-grid job-grid--leads">
        <JobCardSkeleton isLead />
        <JobCardSkeleton isLead />
      </div>
    </div>
  );
}
