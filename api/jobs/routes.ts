import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { idempotencyKey } from '#api/http/idempotency.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { onlyLooks } from '#api/http/only-looks.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf, markStaleReads, type Session } from '#api/http/request-context.ts';
import type { JobCardView } from '#core/job/view.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { readPhone } from '#core/values/typed-phone.ts';
import { countBoard, listBoard } from '#projections/jobs/board.ts';
import { getJobDetails } from '#projections/jobs/details.ts';
import { findJobHints } from '#projections/jobs/hints.ts';
import { type CountedJobs, countJobs, listJobCards } from '#projections/jobs/list.ts';
import { getSchedule } from '#projections/jobs/schedule.ts';
import { addJob, NewJob } from './add-job.ts';
import {
  answerChange,
  assertNewSlot,
  changeJob,
  changesIn,
  JobAnswer,
  type JobChange,
  JobChanges,
} from './change-job.ts';
import { jobIdFrom, linksOf, loadJob, viewAsItStood, viewOf } from './load-job.ts';
import { noteOpened } from './open-job.ts';
import {
  AskedHints,
  AskedSchedule,
  assertSearchable,
  CountQuery,
  daysOf,
  JobQuery,
  ListQuery,
} from './queries.ts';
import { type AsAt, boardAt, viewer } from './viewer.ts';

const oneJobDescription =
  'As it is, or with `at` as it stood once its event with that revision had happened: revisions are those of its history. Contact that is withheld now is withheld in every earlier state.';
type JobPage = Readonly<{ jobs: JobCardView[]; more: boolean; asAt?: AsAt }>;
type Counts = CountedJobs & Readonly<{ asAt?: AsAt }>;

const listDescription =
  'As the jobs are, or with `at` as they stood at that moment, with the names and texts of today: `asAt` is the moment, and how many events the log had then. What is withheld now is withheld in it too.';

/**
 * GET /jobs?page,limit,search,dir,sort,filter,at → { jobs, more, asAt? } · GET /jobs/count?at → { count, waiting, asAt? } · GET /jobs/{id}?at → { job } ·
 * GET /jobs/schedule?from,to,page,limit or ?ahead,page,limit → { today, timeZone, days: [{ date, count }], jobs, more,
 * overdue: { count, jobs } } · PUT /jobs/{id} { notes, scheduledAt, status, revision } and
 * PUT /jobs/{id}/accept, …/reject { revision } → { job }; `x-read-model: behind` says that lists do not show the change
 * yet, `stale` that they may miss what happened since the log became unavailable. Another business's job is not found, like one
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
        assertSearchable(query);
        const { filter, at, ...asked } = query;
        const wanted = { ...asked, ...filter, ...(await viewer(deps, session)), ...linksOf(deps) };
        if (at === undefined) return ok<JobPage>(await listJobCards(deps.db, wanted));
        const { asAt, board } = await boardAt(deps, wanted, at);
        return ok<JobPage>({ ...(await listBoard(deps.db, { ...wanted, ...board })), asAt });
      },
      {
        signedIn: true,
        query: ListQuery,
        detail: operation('Jobs', 'listJobs', 'A page of jobs', { description: listDescription }),
      },
    )
    .get(
      '/count',
      async ({ session, query: { at } }) => {
        const whose = await viewer(deps, session);
        if (at === undefined) return ok<Counts>(await countJobs(deps.db, whose));
        const { asAt, board } = await boardAt(deps, whose, at);
        return ok<Counts>({ ...(await countBoard(deps.db, { ...whose, ...board })), asAt });
      },
      {
        signedIn: true,
        query: CountQuery,
        detail: operation(
          'Jobs',
          'countJobs',
          'How many jobs are in each list, and how many wait for an answer',
          { description: listDescription },
        ),
      },
    )
    .get(
      '/schedule',
      async ({ session, query }) => {
        const { page, limit } = query;
        const asked = { page, limit, ...daysOf(query) };
        const whose = await viewer(deps, session);
        return ok({
          timeZone: whose.timeZone,
          ...(await getSchedule(deps.db, { ...whose, ...asked, ...linksOf(deps) })),
        });
      },
      {
        signedIn: true,
        query: AskedSchedule,
        detail: operation('Jobs', 'getSchedule', 'The jobs of some days'),
      },
    )
    .get(
      '/:id',
      async ({ session, params, query: { at }, request }) => {
        const { businessId } = session;
        const jobId = jobIdFrom(params.id);
        if (at !== undefined) {
          return ok({ job: viewAsItStood(deps, await loadJob(deps, businessId, jobId), at) });
        }
        const details = await getJobDetails(deps.rowsOf(businessId), businessId, jobId);
        if (!details) throw new NotFoundError('Job not found');
        if (!onlyLooks(request)) await noteOpened(deps, session, details, contextOf(request).id);
        return ok({ job: viewOf(deps, details) });
      },
      {
        signedIn: true,
        query: JobQuery,
        detail: operation('Jobs', 'getJob', 'One job', { description: oneJobDescription }),
      },
    )
    .put('/:id', (context) => change(context, changesIn(context.body)), {
      signedIn: true,
      body: JobChanges,
      detail: operation('Jobs', 'changeJob', 'Changes status, schedule or notes'),
    })
    .put('/:id/accept', (context) => change(context, [{ type: 'AcceptJob' }]), {
      signedIn: true,
      body: JobAnswer,
      detail: operation('Jobs', 'acceptJob', 'Accepts a job'),
    })
    .put('/:id/reject', (context) => change(context, [{ type: 'RejectJob' }]), {
      signedIn: true,
      body: JobAnswer,
      detail: operation('Jobs', 'rejectJob', 'Rejects a job'),
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
  const { limitJobChanges } = deps;
  return async ({ session, params, body, request, set }: ChangeContext, changes: readonly JobChange[]) => {
    const jobId = jobIdFrom(params.id);
    await limitJobChanges(session, jobId);
    const base = { session, jobId, ifUnchangedSince: body?.revision };
    const change = { ...base, changes, correlation: contextOf(request).id };
    await assertNewSlot(deps, change);
    return answerChange(deps, { session, jobId, set }, changeJob(deps, change));
  };
}

/** More jobs in an hour than a business can type. */
const LIMIT = { name: 'job-added', points: 300, seconds: 3_600 };

/**
 * POST /jobs { name, email, phone, address, scheduledAt, title, notes, lat, lng, placeId } → { job, hints } with an
 * optional `Idempotency-Key` · GET /jobs/hints?scheduledAt,phone,email,address,except → { hints }.
 * Hints are for a look before saving and after; they refuse nothing.
 */
export function newJobRoutes(deps: Deps) {
  const limiter = sharedLimiter(deps, LIMIT);
  return new Elysia({ name: 'new-job', prefix: '/jobs' })
    .use(auth(deps))
    .onBeforeHandle(markStaleReads(deps))
    .get(
      '/hints',
      async ({ session, query }) => {
        const whose = await viewer(deps, session);
        const phone = readPhone(query.phone ?? '', whose.region) ?? undefined;
        return ok({ hints: await findJobHints(deps.db, { ...query, ...whose, phone }) });
      },
      {
        signedIn: true,
        query: AskedHints,
        detail: operation('Jobs', 'getJobHints', 'Jobs at the same time or of the same customer'),
      },
    )
    .post(
      '/',
      async ({ session, body, request, set }) => {
        const whose = await viewer(deps, session);
        await limiter.consume(session.businessId);
        const { job, readModel } = await addJob(deps, {
          ...{ viewer: whose, accountId: session.accountId, body },
          ...{ key: idempotencyKey(request.headers), correlation: contextOf(request).id },
        });
        if (readModel === 'behind') set.headers['x-read-model'] = 'behind';
        const { id: except, scheduledAt, phone, email, location } = job;
        const hints = await findJobHints(deps.db, {
          ...whose,
          ...{ except, scheduledAt, phone, email, address: location.address },
        });
        return ok({ job: viewOf(deps, job), hints });
      },
      {
        signedIn: true,
        body: NewJob,
        detail: operation('Jobs', 'addJob', 'Adds a job', { headers: ['idempotency-key'] }),
      },
    );
}
