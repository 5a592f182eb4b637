import type { RecordedEvent } from '#core/event-store/port.ts';
import type { HeldFor, JobStatus } from '#core/job/status/statuses.ts';
import type { JobDetails } from '#core/job/view.ts';
import {
  code,
  declareTable,
  flag,
  instant,
  integer,
  nullable,
  position,
  type RowOf,
  text,
} from '#projections/runtime/table.ts';

/** The position that is before none: where a span ends that goes on. */
export const OPEN = '9223372036854775807';

/**
 * How each job stood from one event to the next that changed it, by positions: clocks may jump, the order of the log does not
 * (core/decisions/103). Of people it knows nothing.
 */
export const spansTable = declareTable({
  name: 'job_spans',
  columns: {
    job_id: code(),
    business_id: code(),
    // That of the event with which the span begins, which was written at `since` and stands at `valid_from`.
    from_revision: integer(),
    status: code<JobStatus>(),
    held_for: nullable(text<HeldFor>()),
    scheduled_at: nullable(instant()),
    needed: flag(),
    created_at: instant(),
    since: instant(),
    valid_from: position(),
    // The position of the event that ended it.
    valid_to: position(),
  },
  primaryKey: ['job_id', 'business_id', 'from_revision'],
  // With what counts and the orders of lists need, so that neither fetches the rows of all jobs.
  indexes: {
    valid:
      '(business_id, valid_to, valid_from) include (status, held_for, scheduled_at, needed, created_at, job_id, from_revision)',
  },
  visible: 'to all sessions',
});
export type SpanRow = RowOf<typeof spansTable>;

/** Of a job the spans that were not written yet, and the one before them that they end. The last one is open. */
export type Spans = readonly SpanRow[];

/** The spans of a job that an event has brought to `job`; the same where it stands as before. */
export function spansAfter(spans: Spans, job: JobDetails, recorded: RecordedEvent): Spans {
  const open = spans.at(-1);
  const stands = stoodAs(job);
  if (open && isSame(open, stands)) return spans;
  const { revision, position: at, metadata } = recorded;
  const next: SpanRow = {
    ...{ job_id: job.id, business_id: job.businessId, created_at: job.createdAt, ...stands },
    ...{ from_revision: revision, since: metadata.at, valid_from: at, valid_to: OPEN },
  };
  return open ? [...spans.slice(0, -1), { ...open, valid_to: at }, next] : [next];
}

type Stood = Pick<SpanRow, 'status' | 'held_for' | 'scheduled_at' | 'needed'>;

function stoodAs({ status, heldFor, scheduledAt, noLongerNeededAt }: JobDetails): Stood {
  return { status, held_for: heldFor, scheduled_at: scheduledAt, needed: noLongerNeededAt === null };
}

function isSame(a: Stood, b: Stood): boolean {
  return (
    a.status === b.status &&
    a.held_for === b.held_for &&
    a.needed === b.needed &&
    millisecondsOf(a.scheduled_at) === millisecondsOf(b.scheduled_at)
  );
}

/** Postgres writes an instant otherwise than events do. */
function millisecondsOf(instant: string | null): number | null {
  return instant === null ? null : Date.parse(instant);
}
