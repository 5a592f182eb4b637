import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { auth } from '#api/http/auth.ts';
import { ok } from '#api/http/envelope.ts';
import { contextOf, type Session } from '#api/http/request-context.ts';
import { markStaleReads } from '#api/http/stale-reads.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { getJobDetails } from '#projections/jobs/details.ts';
import { countJobs, listJobCards } from '#projections/jobs/list.ts';
import { getSchedule } from '#projections/jobs/schedule.ts';
import { answerChange } from './answer-change.ts';
import { type ChangeOfJob, changeJob, type JobChange } from './change-job.ts';
import { changeLimit } from './change-limits.ts';
import { jobIdFrom } from './job-id.ts';
import { readListQuery } from './list-query.ts';
import { loadJob } from './load-job.ts';
import { noteOpened } from './note-opened.ts';
import { readScheduleQuery } from './schedule-query.ts';
import { changesIn, JobAnswer, JobChanges } from './shapes.ts';
import { assertSlot } from './slot.ts';
import { viewOf } from './view-of.ts';
import { viewer } from './viewer.ts';

/**
 * GET /jobs?page,limit,search,dir,sort,filter → { jobs, more } · GET /jobs/count → { count } · GET /jobs/{id} → { job } ·
 * GET /jobs/schedule?from,to,page,limit or ?ahead,page,limit → { today, timeZone, days: [{ date, count }], jobs, more,
 * overdue: { count, jobs } } · PUT /jobs/{id} { notes, scheduledAt, status, revision } and
 * PUT /jobs/{id}/accept, …/reject { revision } → { job }; `x-read-model: behind` says that lists do not show the change
 * yet, `stale` that they may miss what happened since the log went away. Another business's job is not found, like one
 * that never was.
 */
export function jobsRoutes(deps: Deps) {
  const change = answerChanges(deps);
  return new Elysia({ name: 'jobs', prefix: '/jobs' })
    .use(auth(deps))
    .onBeforeHandle(markStaleReads(deps))
    .get(
      '/',
      async ({ session, query }) => {
        const asked = readListQuery(query);
        return ok(await listJobCards(deps.db, { ...asked, ...(await viewer(deps, session)) }));
      },
      { signedIn: true },
    )
    .get(
      '/count',
      async ({ session }) => ok({ count: await countJobs(deps.db, await viewer(deps, session)) }),
      { signedIn: true },
    )
    .get(
      '/schedule',
      async ({ session, query }) => {
        const asked = readScheduleQuery(query);
        const whose = await viewer(deps, session);
        return ok({
          timeZone: whose.timeZone,
          ...(await getSchedule(deps.db, { ...whose, ...asked })),
        });
      },
      { signedIn: true },
    )
    .get(
      '/:id',
      async ({ session, params, request }) => {
        const facts = await getJobDetails(
          deps.rowsOf(session.businessId),
          session.businessId,
          jobIdFrom(params.id),
        );
        if (!facts) throw new NotFoundError('Job not found');
        await noteOpened(deps, session, facts, contextOf(request).id);
        return ok({ job: viewOf(deps, facts) });
      },
      { signedIn: true },
    )
    .put('/:id', (context) => change(context, changesIn(context.body)), { signedIn: true, body: JobChanges })
    .put('/:id/accept', (context) => change(context, [{ type: 'AcceptJob' }]), {
      signedIn: true,
      body: JobAnswer,
    })
    .put('/:id/reject', (context) => change(context, [{ type: 'RejectJob' }]), {
      signedIn: true,
      body: JobAnswer,
    });
}

type ChangeContext = Readonly<{
  session: Session;
  params: { id: string };
  body: { revision?: number } | null;
  request: Request;
  set: { headers: Record<string, string | number> };
}>;

function answerChanges(deps: Deps) {
  const limit = changeLimit(deps);
  return async ({ session, params, body, request, set }: ChangeContext, changes: readonly JobChange[]) => {
    const jobId = jobIdFrom(params.id);
    await limit(session, jobId);
    const base = { session, jobId, ifUnchangedSince: body?.revision };
    const change = { ...base, changes, correlation: contextOf(request).id };
    await assertNewSlot(deps, change);
    return answerChange(deps, { session, jobId, set }, changeJob(deps, change));
  };
}

/** A new time is a slot from now on; a time that stays where it is may have passed. */
async function assertNewSlot(deps: Deps, { session, jobId, changes }: ChangeOfJob): Promise<void> {
  const scheduledAt = changes.find((change) => change.type === 'ScheduleJob')?.scheduledAt ?? null;
  if (scheduledAt === null) return;
  const { facts } = await loadJob(deps, session.businessId, jobId);
  if (facts.scheduledAt !== scheduledAt) assertSlot(scheduledAt, await viewer(deps, session));
}
