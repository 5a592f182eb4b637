import type { JobView } from '#core/job/view.ts';
import { storeCards } from '#site/jobs/job-cards-store.ts';
import { ApiError, request, unknownFailure } from '#site/lib/http/api.ts';
import { refreshQueries } from '#site/lib/http/query.ts';
import { carryToast } from '#site/ui/toast/carried-toast.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { bodyOf, idempotencyKeyFor, type JobForm, removeJobDraft } from './job-form.ts';
import { $jobHints, hasHints, hintsInWords, type JobHints } from './job-hints-store.ts';

export type Created = Readonly<{ job: JobView; hints: JobHints }>;

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

const createdMessage = 'Job created successfully';

/** Shows that the job is made, on this page or on the next. Hints that came too late for the form are shown now. */
export function announceJob({ hints }: Created, timeZone: string, where: 'here' | 'next page'): void {
  const show =
    where === 'here' ? (kind: 'success' | 'warning', text: string) => toast[kind](text) : carryToast;
  show('success', createdMessage);
  if (hasHints(hints) && !hasHints($jobHints.get()))
    show('warning', hintsInWords(hints, timeZone, new Date()));
}
