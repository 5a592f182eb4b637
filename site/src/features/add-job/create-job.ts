import { storeCards } from '#site/jobs/job-stores.ts';
import { type AnswerOf, ApiError, request, unknownFailure } from '#site/lib/http/api.ts';
import { refreshQueries } from '#site/lib/http/query.ts';
import { bodyOf, idempotencyKeyFor, type JobForm, removeJobDraft } from './job-form.ts';

export type Created = Pick<AnswerOf<'POST', '/jobs'>, 'job' | 'hints'>;

/** What came of it. A failure has a message for the form, and those of single fields by their name. */
export type Creation = Created | Readonly<{ message: string; fields: Readonly<Record<string, string>> }>;

/** Adds the job, once however often it is tried. After that nothing of the draft is left, and lists on this page have it. */
export async function createJob(form: JobForm, timeZone: string, send = request): Promise<Creation> {
  const body = bodyOf(form, timeZone);
  const key = idempotencyKeyFor(form, JSON.stringify(body));
  try {
    const { job, hints } = await send('POST', '/jobs', {
      body,
      headers: { 'idempotency-key': key },
    });
    removeJobDraft();
    storeCards([job]);
    refreshQueries((query) => query.startsWith('job'));
    return { job, hints };
  } catch (error) {
    const { message, fields } = error instanceof ApiError ? error : new ApiError(unknownFailure, 0);
    return { message: message === unknownFailure ? 'An unexpected error occurred' : message, fields };
  }
}
