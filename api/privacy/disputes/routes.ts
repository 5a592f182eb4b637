import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { contextOf, type Session } from '#api/http/request-context.ts';
import { carryOut, changeLimit } from '#api/jobs/change-job.ts';
import { jobIdFrom, loadJob, viewOf } from '#api/jobs/load-job.ts';
import type { CloseJobDispute, OpenJobDispute } from '#core/job/commands.ts';
import { jobDecider } from '#core/job/decider.ts';
import { disputeLimits, disputeReasonMessage, disputeUntilMessage } from '#core/values/stored-details.ts';
import { countCharacters } from '#core/values/text.ts';
import { disputeIn } from './disputes.ts';

/** A day, such as 2027-05-20. */
const Day = type('string').narrow((text, ctx) => isDay(text) || ctx.reject({ message: disputeUntilMessage }));
const Reason = type('string').narrow(
  (text, ctx) =>
    countCharacters(text) <= disputeLimits.reason || ctx.reject({ message: disputeReasonMessage }),
);
const NewDispute = type({ '+': 'reject', until: Day, 'reason?': Reason });

const shown = {
  summary: 'The dispute about a job, if there is one',
  description: '`until` is the first day on which what is known of the job may go.',
};
const opened = {
  summary: 'Keeps what is known of a job while there is a dispute',
  description:
    'Until that day, twelve months ahead at most. Again: until another day, or for another reason.',
};

/**
 * GET /jobs/{id}/dispute → { dispute }, null without one · PUT …/dispute { until, reason } → { job, dispute } ·
 * DELETE …/dispute → { job, dispute: null }: what was to be removed meanwhile is due. 409 for a customer whose details are removed.
 */
export function disputeRoutes(deps: Deps) {
  const limit = changeLimit(deps);

  async function give(
    { accountId, businessId }: Session,
    request: Request,
    command: Omit<OpenJobDispute, 'at'> | Omit<CloseJobDispute, 'at'>,
  ) {
    const { jobId } = command.data;
    const cause = { commandId: deps.newId(), actor: `account:${accountId}` };
    const { job } = await carryOut(
      deps,
      jobDecider,
      jobId,
      { ...command, at: deps.now().toISOString() } as OpenJobDispute | CloseJobDispute,
      { ...cause, correlation: contextOf(request).id },
    );
    return ok({ job: viewOf(deps, job), dispute: await shownDispute(deps, businessId, jobId) });
  }

  return new Elysia({ name: 'disputes', prefix: '/jobs' })
    .use(auth(deps))
    .get(
      '/:id/dispute',
      async ({ session, params }) => {
        const jobId = jobIdFrom(params.id);
        return ok({ dispute: await shownDispute(deps, session.businessId, jobId) });
      },
      { signedIn: true, detail: shown },
    )
    .put(
      '/:id/dispute',
      async ({ session, params, body, request }) => {
        const jobId = jobIdFrom(params.id);
        await limit(session, jobId);
        const until = `${body.until}T00:00:00.000Z`;
        const data = { jobId, businessId: session.businessId, until, reason: (body.reason ?? '').trim() };
        return give(session, request, { type: 'OpenJobDispute', data });
      },
      { signedIn: true, body: NewDispute, detail: opened },
    )
    .delete(
      '/:id/dispute',
      async ({ session, params, request }) => {
        const jobId = jobIdFrom(params.id);
        await limit(session, jobId);
        const data = { jobId, businessId: session.businessId };
        return give(session, request, { type: 'CloseJobDispute', data });
      },
      { signedIn: true, detail: { summary: 'Says that the dispute about a job is over' } },
    );
}

/** From the job's own stream: never behind. Throws NotFoundError for another business's job. */
async function shownDispute(
  deps: Pick<Deps, 'store' | 'now'>,
  businessId: string,
  jobId: string,
): Promise<{ until: string; reason: string } | null> {
  const { events } = await loadJob(deps, businessId, jobId);
  const dispute = disputeIn(events, deps.now());
  return dispute && { until: dispute.until.slice(0, 10), reason: dispute.reason };
}

function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00.000Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
