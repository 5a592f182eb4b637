import type { Pool, PoolClient } from 'pg';
import type { JobStatus } from '#core/job/status/statuses.ts';
import { shownText } from '#core/job/withheld-fields.ts';
import { plannedEachTime } from '#core/postgres/statement.ts';
import { slotMinutes } from '#core/values/time.ts';
import { linePattern } from './search-text.ts';
import { jobTables } from './table.ts';

/** What a job is compared by; what is absent is not compared. `scheduledAt` is an instant, `phone` E.164. */
export type HintQuery = Readonly<{
  businessId: string;
  now: Date;
  /** The job itself, once it exists. */
  except?: string | undefined;
  scheduledAt?: string | null | undefined;
  phone?: string | undefined;
  email?: string | undefined;
  address?: string | undefined;
}>;

type Other = Readonly<{ id: string; title: string; name: string; status: JobStatus }>;
type Found<More> = Other & More & { erasureDueAt: Date | null };

/** Worth a look before a job is saved, never a reason to refuse it. At most five of each. */
export type JobHints = Readonly<{
  /** Scheduled less than 30 minutes before or after, earliest first. */
  overlaps: readonly (Other & Readonly<{ scheduledAt: string }>)[];
  /** Of the last 30 days with the same phone, email or address, however it is typed, newest first. */
  repeats: readonly (Other & Readonly<{ createdAt: string; same: readonly Sameness[] }>)[];
}>;
export type Sameness = 'phone' | 'email' | 'address';

const REPEAT_DAYS = 30;
// Both statements are planned for their values: they look at a span of time.

/**
 * What other jobs of the business have in common with one. A phone or email that is withheld is not compared: that a job
 * shares it would give it away.
 */
export async function findJobHints(db: Pool | PoolClient, query: HintQuery): Promise<JobHints> {
  const [overlaps, repeats] = await Promise.all([findOverlaps(db, query), findRepeats(db, query)]);
  return { overlaps, repeats };
}

async function findOverlaps(db: Pool | PoolClient, { businessId, except, scheduledAt }: HintQuery) {
  if (!scheduledAt) return [];
  const { rows } = await db.query<Found<{ scheduledAt: Date }>>(
    plannedEachTime(
      `select job_id as id, title, name, status, erasure_due_at as "erasureDueAt", scheduled_at as "scheduledAt"
     from ${jobTables.jobs} where business_id = $1 and job_id <> $2 and status <> 'Rejected' and erased_at is null
       and scheduled_at > $3::timestamptz - make_interval(mins => $4)
       and scheduled_at < $3::timestamptz + make_interval(mins => $4)
     order by scheduled_at, job_id limit 5`,
      [businessId, except ?? '', scheduledAt, slotMinutes],
    ),
  );
  return rows.map((row) => ({ ...shown(row), scheduledAt: row.scheduledAt.toISOString() }));
}

async function findRepeats(db: Pool | PoolClient, query: HintQuery) {
  const { businessId, now, except = '', phone = '', email = '', address = '' } = query;
  if (phone + email + address === '') return [];
  const { rows } = await db.query<Found<{ createdAt: Date; same: Sameness[] }>>(
    plannedEachTime(
      `with at_address as materialized (
         select job_id from ${jobTables.search} where business_id = $1 and created_at >= $3 and search like $6
       )
     select id, title, name, status, "erasureDueAt", "createdAt", same from (
       select job_id as id, title, name, status, erasure_due_at as "erasureDueAt", created_at as "createdAt",
         array_remove(array[
           case when phone = $4 and status not in ('Pending', 'Rejected') and erasure_due_at is null then 'phone' end,
           case when email = $5 and status not in ('Pending', 'Rejected') and erasure_due_at is null then 'email' end,
           case when job_id in (select job_id from at_address) then 'address' end
         ], null) as same
       from ${jobTables.jobs}
       where business_id = $1 and job_id <> $2 and created_at >= $3 and erased_at is null
         and (phone = $4 or email = $5 or job_id in (select job_id from at_address))
     ) as alike
     where cardinality(same) > 0
     order by "createdAt" desc, id desc limit 5`,
      [
        ...[businessId, except, new Date(now.getTime() - REPEAT_DAYS * 86_400_000)],
        // A job without an email has it in common with none.
        ...[phone || null, email || null, linePattern(address)],
      ],
    ),
  );
  return rows.map((row) => ({ ...shown(row), createdAt: row.createdAt.toISOString() }));
}

function shown<T extends Found<object>>({ erasureDueAt, ...row }: T): Omit<T, 'erasureDueAt'> {
  const job = { status: row.status, erasureDueAt: erasureDueAt?.toISOString() ?? null, erasedAt: null };
  return { ...row, title: shownText(job, row.title), name: shownText(job, row.name) };
}
