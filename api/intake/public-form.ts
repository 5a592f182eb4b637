import { findSlugOwner, reservationKey } from '#api/accounts/reservations.ts';
import type { Deps } from '#api/deps.ts';
import {
  answersTo,
  type GivenAnswer,
  type PublicForm,
  type PublicQuestion,
} from '#core/enquiry-form/public-form.ts';
import type { RequestJob } from '#core/job/request/decide.ts';
import type { JobRequest } from '#core/job/request/job-request.ts';
import { assertSound, InvalidInputError } from '#core/kernel/errors.ts';
import { normaliseJobRequest, validateJobRequest } from '#core/values/job-form.ts';
import { isSlug } from '#core/values/slug.ts';
import { type FoundForm, getPublicForm, getPublicFormOf } from '#projections/public-form/read.ts';

/**
 * What is stored of a valid body: one spelling for each field, answers with the questions of this form. Throws
 * InvalidInputError for a phone that its country does not read, for an answer that the form does not ask for, a second one, or one that does not fit.
 */
export function jobRequestFor(
  form: Pick<PublicForm, 'questions' | 'region'>,
  body: JobRequest,
): Omit<RequestJob['data'], 'jobId' | 'businessId' | 'media'> {
  assertSound(validateJobRequest(body, form.region));
  const { address, ...typed } = normaliseJobRequest(body, form.region);
  const answers = body.answers ?? [];
  assertAsked(form.questions, answers);
  return {
    ...typed,
    isUrgent: body.isUrgent ?? false,
    ...(body.unsentFiles ? { unsentFiles: body.unsentFiles } : {}),
    location: { address, placeId: body.placeId ?? null, lat: body.lat ?? null, lng: body.lng ?? null },
    answers: answersTo(form.questions, answers),
  };
}

function assertAsked(questions: readonly PublicQuestion[], given: readonly GivenAnswer[]): void {
  const asked = new Set(questions.map(({ id }) => id));
  const answered = new Set(given.map(({ questionId }) => questionId));
  if (answered.size === given.length && [...answered].every((id) => asked.has(id))) return;
  throw new InvalidInputError('The form has changed, please load it again', {
    answers: 'One answer for each question of the form',
  });
}

/**
 * The form at a public address as a visitor typed it, and whose it is; null when there is none. An address that a business
 * left in the last 180 days still finds it: the form then names another slug.
 */
export async function findForm(
  { db, config, now }: Pick<Deps, 'db' | 'config' | 'now'>,
  typed: string,
): Promise<FoundForm | null> {
  const slug = typed.toLowerCase();
  if (!isSlug(slug)) return null;
  const found = await getPublicForm(db, slug);
  if (found) return found;
  const businessId = await findSlugOwner(db, reservationKey(config, 'slug', slug), now());
  return businessId === null ? null : getPublicFormOf(db, businessId);
}
