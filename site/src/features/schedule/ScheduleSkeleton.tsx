import { JobRowSkeleton } from '#site/jobs/JobRow.tsx';

/** The schedule on its way: the month and some days, where they will be. */
export function ScheduleSkeleton() {
  return (
    <div className="sched__cols" aria-hidden="true">
      <div className="sched__rail">
        <div className="card rail-card">
          <span className="sk sk--block sk--month" />
        </div>
      </div>
      <div className="sched__days sched__days--waiting">
        {[1, 2, 3].map((place) => (
          <div key={place} className="day">
            <div className="day-heading">
              <span className="sk sk--title" />
            </div>
            <JobRowSkeleton />
          </div>
        ))}
      </div>
    </div>
  );
}
