import { NotFoundError } from '#core/kernel/errors.ts';

const JOB_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A malformed id is the id of no job. Throws NotFoundError, as for another business's job. */
export function jobIdFrom(text: string): string {
  if (!JOB_ID.test(text)) throw new NotFoundError('Job not found');
  return text;
}
