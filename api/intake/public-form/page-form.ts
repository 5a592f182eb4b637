import { createHash } from 'node:crypto';
import type { PublicForm } from '#core/enquiry-form/public-form.ts';
import { canonicalJson } from '#core/event-store/canonical-json.ts';
import type { Json } from '#core/event-store/raw-log.ts';
import type { JobRequest } from '#core/job/commands.ts';
import { InvalidInputError } from '#core/kernel/errors.ts';
import { answerLimits, eachField, tooLongMessage, validateJobRequest } from '#core/values/job-form.ts';

/** What a browser without JavaScript posts: every field as text, a ticked box as `on`. */
export type PageForm = Readonly<Record<string, string>>;

/**
 * The posted fields as the body that the API takes; fields and answers that this form does not have are left behind,
 * because the page may be older than the form.
 * Throws InvalidInputError with a message for each field that the customer has to put right.
 */
export function jobRequestFromPage(form: PublicForm, posted: PageForm): JobRequest {
  const text = (field: string) => posted[field] ?? '';
  const request: JobRequest = {
    ...eachField(text),
    isUrgent: text('isUrgent') === 'on',
    answers: form.questions.map(({ id }) => ({ questionId: id, answer: text(`answer.${id}`) })),
  };
  const problems: Record<string, string> = { ...validateJobRequest(request), ...tooLong(request) };
  if (Object.keys(problems).length > 0) {
    throw new InvalidInputError('Please check what you entered', problems);
  }
  return request;
}

function tooLong({ answers = [] }: JobRequest): Record<string, string> {
  const long = answers.filter(({ answer }) => answer.trim().length > answerLimits.length);
  const message = tooLongMessage(answerLimits.length);
  return Object.fromEntries(long.map(({ questionId }) => [`answer.${questionId}`, message]));
}

/** The Idempotency-Key of a page that cannot make one: the same request, files and all, sent twice is one job. */
export function keyOfPage(slug: string, request: JobRequest, files: readonly string[]): string {
  return createHash('sha256')
    .update([slug, canonicalJson(request as Json), ...files].join('\n'))
    .digest('hex');
}
