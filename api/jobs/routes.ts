import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { auth } from '#api/http/auth.ts';
import { ok } from '#api/http/envelope.ts';
import { contextOf, type Session } from '#api/http/request-context.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { getProfile } from '#projections/accounts/read.ts';
import { countJobs, listJobCards } from '#projections/job-cards/read.ts';
import { getJobFacts } from '#projections/job-details/read.ts';
import { changeJob, type Wish } from './change-job.ts';
import { jobIdFrom } from './job-id.ts';
import { readListQuery } from './list-query.ts';
import { JobAnswer, JobChanges, wishesOf } from './shapes.ts';
import { viewOf } from './view-of.ts';

/**
 * GET /jobs?page,limit,search,dir,sort,filter → { jobs } · GET /jobs/count → { count } · GET /jobs/{id} → { job } ·
 * PUT /jobs/{id} { notes, scheduledAt, status, revision } and PUT /jobs/{id}/accept, …/reject { revision } → { job };
 * `x-read-model: behind` says that lists do not show the change yet, `stale` that they may miss what happened since the
 * log went away. Another business's job is not found, like one that never was.
 */
export function jobsRoutes(deps: Deps) {
  const change = answerChanges(deps);
  return new Elysia({ name: 'jobs', prefix: '/jobs' })
    .use(auth(deps))
    .onBeforeHandle(({ request, set }) => {
      if (request.method === 'GET' && deps.isStale?.()) set.headers['x-read-model'] = 'stale';
    })
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
      '/:id',
      async ({ session, params }) => {
        const facts = await getJobFacts(deps.db, session.businessId, jobIdFrom(params.id));
        if (!facts) throw new NotFoundError('Job not found');
        return ok({ job: viewOf(facts) });
      },
      { signedIn: true },
    )
    .put('/:id', (context) => change(context, wishesOf(context.body)), { signedIn: true, body: JobChanges })
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
  return async ({ session, params, body, request, set }: ChangeContext, wishes: readonly Wish[]) => {
    const { job, readModel } = await changeJob(deps, {
      ...{ session, wishes, jobId: jobIdFrom(params.id) },
      ...{ base: body?.revision, correlation: contextOf(request).id },
    });
    if (readModel === 'behind') set.headers['x-read-model'] = 'behind';
    return ok({ job: viewOf(job) });
  };
}

/** Whose jobs, and when "today" is. */
async function viewer(deps: Deps, { accountId, businessId }: Session) {
  const profile = await getProfile(deps.db, accountId);
  if (!profile) throw new NotFoundError('Account not found');
  return { businessId, timeZone: profile.timeZone, now: deps.now() };
}
