import { type } from 'arktype';
import { Elysia } from 'elysia';
import { loadBusiness } from '#api/accounts/load-account.ts';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { contextOf, type Session } from '#api/http/request-context.ts';
import { carryOut, changeLimit } from '#api/jobs/change-job.ts';
import { jobIdFrom, loadJob, viewOf } from '#api/jobs/load-job.ts';
import { cancelErasure, isAskedByCustomer } from '#api/privacy/request-erasure.ts';
import type { JobCommand } from '#core/job/commands.ts';
import { jobDecider } from '#core/job/decider.ts';
import { retainedUntil } from '#core/job/retention.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { normaliseNewJob, validateNewJob } from '#core/values/job-form.ts';
import { placeFields, pointProblems } from '#core/values/place.ts';
import {
  correctionAnswers,
  type KeepReason,
  keepReasons,
  retentionYears,
} from '#core/values/stored-details.ts';
import { plannedErasure } from './your-details.ts';

const Refusal = type({ '+': 'reject', reason: type.enumerated(...keepReasons) });
const Details = type({
  '+': 'reject',
  ...{ name: 'string', email: 'string', phone: 'string', address: 'string' },
  ...placeFields,
}).narrow((details, ctx) => {
  const problems = { ...validateNewJob(details), ...pointProblems(details) };
  for (const [field, message] of Object.entries(problems)) ctx.error({ path: [field], message });
  return !ctx.hasError();
});
const Answer = type({ '+': 'reject', answer: "'agreed'", 'details?': Details }).or({
  '+': 'reject',
  answer: type.enumerated(...correctionAnswers),
});

const refused = {
  summary: "Keeps a customer's details although they asked for the removal",
  description:
    'For one of four reasons. The customer is told which, the day on which they go by themselves, and where to complain.',
};
const answered = {
  summary: 'Answers a correction that the customer asked for',
  description:
    '`asked` is the revision of its entry in the history. One that is refused stays with the job as their statement. With `details` the job has them from then on, wherever its customer is shown; how the job came stays in its history. `address` is the formatted address. 409 while the contact is withheld.',
};

/**
 * What a business answers to its customer's requests. POST /jobs/{id}/erasure/refusal { reason } → { job }: the details stay; 409 where the
 * customer does not ask for the removal · PUT /jobs/{id}/corrections/{asked} { answer, details } → { job }; 404 for one that was never
 * asked for. With `details` the customer's are these from then on; 409 while the business does not see the contact.
 */
export function requestAnswerRoutes(deps: Deps) {
  const limit = changeLimit(deps);

  async function give(session: Session, request: Request, command: object, jobId: string) {
    const cause = { commandId: deps.newId(), actor: `account:${session.accountId}` };
    const correlation = contextOf(request).id;
    await carryOut(deps, jobDecider, jobId, command as JobCommand, { ...cause, correlation });
  }

  async function job({ businessId }: Session, jobId: string) {
    return ok({ job: viewOf(deps, (await loadJob(deps, businessId, jobId)).details) });
  }

  return new Elysia({ name: 'request-answers', prefix: '/jobs' })
    .use(auth(deps))
    .post(
      '/:id/erasure/refusal',
      async ({ session, params, body, request }) => {
        const jobId = jobIdFrom(params.id);
        await limit(session, jobId);
        await give(session, request, await refusal(deps, session, jobId, body.reason), jobId);
        await keepWhatWasPlanned(deps, session, jobId);
        return job(session, jobId);
      },
      { signedIn: true, body: Refusal, detail: refused },
    )
    .put(
      '/:id/corrections/:asked',
      async ({ session, params, body, request }) => {
        const jobId = jobIdFrom(params.id);
        const asked = /^\d{1,6}$/.test(params.asked) ? Number(params.asked) : -1;
        await limit(session, jobId);
        const { businessId } = session;
        const at = deps.now().toISOString();
        const of = { jobId, businessId, asked };
        const command =
          'details' in body && body.details
            ? { type: 'CorrectDetails', at, data: { ...of, ...(await correctedBy(deps, of, body.details)) } }
            : { type: 'AnswerCorrection', at, data: { ...of, answer: body.answer } };
        await give(session, request, command, jobId);
        return job(session, jobId);
      },
      { signedIn: true, body: Answer, detail: answered },
    );
}

/** In the spelling that is stored. An address that stays the same stays where it is on the map. */
async function correctedBy(
  deps: Pick<Deps, 'store'>,
  { businessId, jobId }: Readonly<{ businessId: string; jobId: string }>,
  given: typeof Details.infer,
) {
  const { details } = await loadJob(deps, businessId, jobId);
  const { name, email, phone, address } = normaliseNewJob(given);
  const { placeId = null, lat = null, lng = null } = given;
  const isSame = address === details.location.address && placeId === null && lat === null;
  const location = isSame ? details.location : { address, placeId, lat, lng };
  return { name, email, phone, location };
}

/** Until the day on which they would go anyhow: so long after the last event as the business stores details. */
async function refusal(
  deps: Pick<Deps, 'store' | 'now'>,
  { businessId }: Session,
  jobId: string,
  reason: KeepReason,
) {
  const [{ events }, business] = await Promise.all([
    loadJob(deps, businessId, jobId),
    loadBusiness(deps, businessId),
  ]);
  const last = events.at(-1);
  if (!last) throw new NotFoundError('Job not found');
  const years = business?.retentionYears ?? retentionYears.standard;
  const until = retainedUntil('worked-on', new Date(last.metadata.at), years).toISOString();
  const data = { jobId, businessId, reason, until };
  return { type: 'RefuseRemoval', at: deps.now().toISOString(), data };
}

/** The business had answered by its own removal, and changed its mind. */
async function keepWhatWasPlanned(
  deps: Pick<Deps, 'store' | 'now'>,
  { businessId, accountId }: Session,
  jobId: string,
): Promise<void> {
  const planned = plannedErasure(await loadJob(deps, businessId, jobId));
  if (planned !== null && !(await isAskedByCustomer(deps, planned)))
    await cancelErasure(deps, planned, `account:${accountId}`);
}
