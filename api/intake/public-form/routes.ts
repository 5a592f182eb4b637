import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { botCheckFailed, notFound, ok } from '#api/http/answers.ts';
import { hashSource } from '#api/http/client-address.ts';
import { idempotencyKey } from '#api/http/idempotency.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf } from '#api/http/request-context.ts';
import { findForm, jobRequestFor } from '#api/intake/public-form.ts';
import { JobRequest } from '#core/job/request/job-request.ts';
import { jobReference } from '#core/values/job-form.ts';
import { apiLimits } from './intake-limits.ts';
import { requestIds, submitJobRequest, swallow } from './submit.ts';

/**
 * GET /public-forms/{slug} → { form } · POST /public-forms/{slug}/jobs → { reference }.
 * The post needs the header `x-bot-check` with a ticket. With an `Idempotency-Key` a repeat makes no second job;
 * without one, two posts are two jobs.
 */
export function publicFormsRoutes(deps: Deps) {
  const found = async (slug: string) => {
    const form = await findForm(deps, slug);
    if (!form) throw notFound();
    return form;
  };
  return new Elysia({ name: 'public-forms', prefix: '/public-forms' })
    .get('/:slug', async ({ params }) => ok({ form: (await found(params.slug)).form }), {
      detail: operation('Intake', 'getPublicForm', 'The form of a business', { access: 'open' }),
    })
    .post(
      '/:slug/jobs',
      async ({ params, body, request }) => {
        const { businessId, form } = await found(params.slug);
        if (body.website) return ok({ reference: jobReference(swallow(deps, request)) });
        const ticket = request.headers.get('x-bot-check');
        if (!ticket) throw botCheckFailed('The bot check is missing, please try again');
        const key = idempotencyKey(request.headers);
        const { ip, id } = contextOf(request);
        const jobId = await submitJobRequest(deps, {
          businessId,
          body,
          request: jobRequestFor(form, body),
          media: body.media ?? [],
          ...requestIds(deps, businessId, key),
          ticket,
          limits: apiLimits,
          sourceHash: hashSource(ip, deps.config.keys.botCheck),
          actor: 'customer',
          correlation: id,
        });
        return ok({ reference: jobReference(jobId) });
      },
      {
        body: JobRequest,
        detail: operation('Intake', 'requestJob', 'Sends a request to a business', {
          access: 'open',
          headers: ['idempotency-key', 'x-bot-check'],
        }),
      },
    );
}
