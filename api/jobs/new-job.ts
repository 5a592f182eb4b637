import { type } from 'arktype';
import { malformedMessage } from '#core/values/job-request.ts';
import { validateNewJob } from '#core/values/new-job.ts';
import { Instant } from './instant.ts';

/** Where a place is, as an address suggestion answered it. Degrees (WGS 84). */
export const placeFields = {
  'placeId?': 'string <= 300 | null',
  'lat?': '-90 <= number <= 90 | null',
  'lng?': '-180 <= number <= 180 | null',
} as const;

/**
 * The body of POST /jobs. Closed: nobody sends a status, a type or an id. `address` is the formatted address,
 * `scheduledAt` an instant with its offset.
 */
export const NewJob = type({
  '+': 'reject',
  name: 'string',
  email: 'string',
  phone: 'string',
  address: 'string',
  'title?': 'string',
  'notes?': 'string',
  'scheduledAt?': Instant.or('null'),
  ...placeFields,
})
  .configure({ message: () => malformedMessage }, 'references')
  .narrow((job, ctx) => {
    for (const [field, message] of Object.entries(validateNewJob(job))) ctx.error({ path: [field], message });
    return !ctx.hasError();
  });
export type NewJob = typeof NewJob.infer;
