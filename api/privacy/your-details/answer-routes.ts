import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf, type Session } from '#api/http/request-context.ts';
import { jobIdFrom, loadJob, viewOf } from '#api/jobs/load-job.ts';
import { placeFields } from '#core/values/place.ts';
import { correctionAnswers, keepReasons } from '#core/values/stored-details.ts';
import { answerCorrection, refuseRemoval } from './answer-requests.ts';

const Refusal = type({ '+': 'reject', reason: type.enumerated(...keepReasons) });
const Details = type({
  '+': 'reject',
  ...{ name: 'string', email: 'string', phone: 'string', address: 'string' },
  ...placeFields,
});
const Answer = type({ '+': 'reject', answer: "'agreed'", 'details?': Details }).or({
  '+': 'reject',
  answer: type.enumerated(...correctionAnswers),
});

/**
 * What a business answers to its customer's requests. POST /jobs/{id}/erasure/refusal { reason } → { job }: the details stay; 409 where the
 * customer does not ask for the removal · PUT /jobs/{id}/corrections/{asked} { answer, details } → { job }; 404 for one that was never
 * asked for. With `details` the customer's are these from then on; 409 while the business does not see the contact.
 */
export function requestAnswerRoutes(deps: Deps) {
  const { limitJobChanges } = deps;

  async function job({ businessId }: Session, jobId: string) {
    return ok({ job: viewOf(deps, (await loadJob(deps, businessId, jobId)).details) });
  }

  return new Elysia({ name: 'request-answers', prefix: '/jobs' })
    .use(auth(deps))
    .post(
      '/:id/erasure/refusal',
      async ({ session, params, body, request }) => {
        const jobId = jobIdFrom(params.id);
        await limitJobChanges(session, jobId);
        await refuseRemoval(deps, session, { jobId, reason: body.reason }, contextOf(request).id);
        return job(session, jobId);
      },
      {
        signedIn: true,
        body: Refusal,
        detail: operation(
          'Jobs',
          'refuseRemoval',
          "Keeps a customer's details although they asked for the removal",
          {
            description:
              'For one of four reasons. The customer is told which, the day on which they go by themselves, and where to complain.',
          },
        ),
      },
    )
    .put(
      '/:id/corrections/:asked',
      async ({ session, params, body, request }) => {
        const jobId = jobIdFrom(params.id);
        const asked = /^\d{1,6}$/.test(params.asked) ? Number(params.asked) : -1;
        await limitJobChanges(session, jobId);
        await answerCorrection(deps, session, { jobId, asked, ...body }, contextOf(request).id);
        return job(session, jobId);
      },
      {
        signedIn: true,
        body: Answer,
        detail: operation('Jobs', 'answerCorrection', 'Answers a correction that the customer asked for', {
          description:
            '`asked` is the revision of its entry in the history. One that is refused stays with the job as their statement. With `details` the job has them from then on, wherever its customer is shown; how the job came stays in its history. `address` is the formatted address. 409 while the contact is withheld.',
        }),
      },
    );
}
