import { httpErrorFor } from '#api/http/errors.ts';
import { HttpError } from '#api/http/http-errors.ts';
import type { PublicForm } from '#core/enquiry-form/public-form.ts';
import type { JobRequest } from '#core/job/commands.ts';
import { jobRequestFromPage, keyOfPage } from './page-form.ts';
import { fingerprintOf } from './page-media.ts';
import type { PagePost } from './page-post.ts';

/** What a person reads beside the form; anything else is thrown on. */
export function shown(error: unknown): HttpError {
  const failure = httpErrorFor(error);
  if (failure.status >= 500 && failure.status !== 503) throw error;
  return failure;
}

/** A form's text, judged: what it asks for and the key of the request, or what is wrong with it. */
export type Checked = Readonly<{ body: JobRequest | null; key: string; failure: HttpError | null }>;

export function checkPost(form: PublicForm, post: PagePost): Checked {
  try {
    const body = jobRequestFromPage(form, post.fields);
    return { body, key: keyOfPage(form.slug, body, fingerprintOf(post)), failure: null };
  } catch (error) {
    return { body: null, key: '', failure: shown(error) };
  }
}

/** What is wrong with the text, and what with the files, as one refusal. */
export function together(one: HttpError | null, other: HttpError | null): HttpError | null {
  if (one === null || other === null) return one ?? other;
  const fields = { ...other.extra.fields, ...one.extra.fields };
  return new HttpError(other.status, one.message, { ...other.extra, fields });
}
