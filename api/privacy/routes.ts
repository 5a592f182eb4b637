import { type } from 'arktype';
import { Elysia } from 'elysia';
import { createOwnerCheck } from '#api/accounts/credentials.ts';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { operation } from '#api/http/openapi/operation.ts';
import type { Session } from '#api/http/request-context.ts';
import { jobIdFrom, loadJob, viewOf } from '#api/jobs/load-job.ts';
import { jobsBeside } from '#core/values/stored-details.ts';
import { listOutOfReach, type SentMessages } from './out-of-reach.ts';
import { keepCustomer, othersOf, removeCustomer } from './remove-customer.ts';

const Removal = type({
  '+': 'reject',
  'others?': type('string <= 100').array().atMostLength(jobsBeside.most),
  'currentPassword?': 'string <= 1000',
});

/**
 * GET /jobs/{id}/erasure → { others, outOfReach }: up to 99 other jobs of the customer, and what was handed out of them and this one · POST …/erasure { others, currentPassword } → { job }: their
 * details go in seven days, of more than ten jobs with the password · DELETE …/erasure → { job }: they stay after all. 409 once they are removed, or the removal has begun,
 * and for DELETE where the customer asked for it: they keep it themselves, or the business says why (`…/erasure/refusal`).
 */
export function erasureRoutes(deps: Deps, sentMessages: SentMessages) {
  const { limitJobChanges } = deps;
  const checkOwner = createOwnerCheck(deps);
  return new Elysia({ name: 'erasures', prefix: '/jobs' })
    .use(auth(deps))
    .get(
      '/:id/erasure',
      async ({ session, params }) => {
        const jobId = jobIdFrom(params.id);
        await loadJob(deps, session.businessId, jobId);
        const others = await othersOf(deps, session, jobId);
        const jobIds = [jobId, ...others.map(({ id }) => id)];
        const { businessId } = session;
        return ok({ others, outOfReach: await listOutOfReach(deps, sentMessages, { businessId, jobIds }) });
      },
      {
        signedIn: true,
        detail: operation('Jobs', 'getJobsOfCustomer', "Other jobs of a job's customer", {
          description:
            'What the removal of their details may include. `outOfReach` lists what went out and cannot be called back, newest first.',
        }),
      },
    )
    .post(
      '/:id/erasure',
      async ({ session, params, body, request }) => {
        const jobId = jobIdFrom(params.id);
        await limitJobChanges(session, jobId);
        const { others = [], currentPassword } = body;
        const confirm = (password: string) => checkOwner(session, password, request);
        await removeCustomer(deps, session, { jobId, others, currentPassword, confirm });
        return answer(deps, session, jobId);
      },
      {
        signedIn: true,
        body: Removal,
        detail: operation('Jobs', 'removeCustomer', "Removes the customer's details in seven days", {
          description:
            'Of this job and of `others`; of more than ten jobs with `currentPassword`. Until then the contact is withheld, and DELETE takes it back. The same again changes nothing.',
        }),
      },
    )
    .delete(
      '/:id/erasure',
      async ({ session, params }) => {
        const jobId = jobIdFrom(params.id);
        await limitJobChanges(session, jobId);
        await keepCustomer(deps, session, jobId);
        return answer(deps, session, jobId);
      },
      {
        signedIn: true,
        detail: operation('Jobs', 'keepCustomer', "Keeps the customer's details after all"),
      },
    );
}

/** The job from its own stream: never behind. */
async function answer(deps: Pick<Deps, 'config' | 'now' | 'store'>, { businessId }: Session, jobId: string) {
  const { details } = await loadJob(deps, businessId, jobId);
  return ok({ job: viewOf(deps, details) });
}
