import { type } from 'arktype';
import { placeFields } from '#api/jobs/add-job.ts';
import { Instant } from '#api/jobs/scheduled-time.ts';
import { malformedMessage, validateJobRequest } from '#core/values/job-request.ts';

/**
 * The body of POST /work-orders: a job for the business whose public form is at `/t/{business}`. Closed. Fields are those of
 * the public form, in its words; `scheduledAt` is an instant with its offset.
 */
export const WorkOrder = type({
  '+': 'reject',
  business: '3 <= string <= 20',
  name: 'string',
  email: 'string',
  phone: 'string',
  address: 'string',
  title: 'string',
  'description?': 'string',
  'isUrgent?': 'boolean',
  'scheduledAt?': Instant.or('null'),
  ...placeFields,
})
  .configure({ message: () => malformedMessage }, 'references')
  .narrow((order, ctx) => {
    for (const [field, message] of Object.entries(validateJobRequest(order)))
      ctx.error({ path: [field], message });
    return !ctx.hasError();
  });
export type WorkOrder = typeof WorkOrder.infer;
