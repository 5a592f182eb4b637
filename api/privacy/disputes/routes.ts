import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf, type Session } from '#api/http/request-context.ts';
import type { ChangedJob } from '#api/jobs/change-job.ts';
import { jobIdFrom, viewOf } from '#api/jobs/load-job.ts';
import { disputeLimits, disputeReasonMessage, disputeUntilMessage } from '#core/values/stored-details.ts';
import { countCharacters, severalLines } from '#core/values/text.ts';
import { closeDispute, openDispute, shownDispute } from './disputes.ts';

/** A day, such as 2027-05-20. */
const Day = type('string')
  .configure({ format: 'date' })
  .narrow((text, ctx) => isDay(text) || ctx.reject({ message: disputeUntilMessage }));
const Reason = type('string').narrow(
  (text, ctx) =>
    countCharacters(severalLines(text)) <= disputeLimits.reason ||
    ctx.reject({ message: disputeReasonMessage }),
);
const NewDispute = type({ '+': 'reject', until: Day, 'reason?': Reason });

/**
 * GET /jobs/{id}/dispute → { dispute }, null without one · PUT …/dispute { until, reason } → { job, dispute } ·
 * DELETE …/dispute → { job, dispute: null }: what was to be removed meanwhile is due. 409 for a customer whose details are removed.
 */
export function disputeRoutes(deps: Deps) {
  const { limitJobChanges } = deps;

  const answer = async ({ businessId }: Session, { job }: ChangedJob) =>
    ok({ job: viewOf(deps, job), dispute: await shownDispute(deps, businessId, job.id) });

  return new Elysia({ name: 'disputes', prefix: '/jobs' })
    .use(auth(deps))
    .get(
      '/:id/dispute',
      async ({ session, params }) => {
        const jobId = jobIdFrom(params.id);
        return ok({ dispute: await shownDispute(deps, session.businessId, jobId) });
      },
      {
        signedIn: true,
        detail: operation('Jobs', 'getDispute', 'The dispute about a job, if there is one', {
          description: '`until` is the first day on which what is known of the job may go.',
        }),
      },
    )
    .put(
      '/:id/dispute',
      async ({ session, params, body, request }) => {
        const jobId = jobIdFrom(params.id);
        await limitJobChanges(session, jobId);
        const dispute = { until: body.until, reason: body.reason ?? '' };
        return answer(
          session,
          await openDispute(deps, session, { jobId, ...dispute }, contextOf(request).id),
        );
      },
      {
        signedIn: true,
        body: NewDispute,
        detail: operation('Jobs', 'openDispute', 'Keeps what is known of a job while there is a dispute', {
          description:
            'Until that day, twelve months ahead at most. Again: until another day, or for another reason.',
        }),
      },
    )
    .delete(
      '/:id/dispute',
      async ({ session, params, request }) => {
        const jobId = jobIdFrom(params.id);
        await limitJobChanges(session, jobId);
        return answer(session, await closeDispute(deps, session, jobId, contextOf(request).id));
      },
      {
        signedIn: true,
        detail: operation('Jobs', 'closeDispute', 'Says that the dispute about a job is over'),
      },
    );
}

function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00.000Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
