import { createHash } from 'node:crypto';
import type { Deps } from '#api/deps.ts';
import { HttpError, httpErrorFor, invalid } from '#api/http/answers.ts';
import type { Turn } from '#api/http/gate.ts';
import { isKeyTaken } from '#api/http/idempotency.ts';
import type { Limiter } from '#api/http/limits.ts';
import { findWaitingMedia, storeMedia } from '#api/intake/media.ts';
import { jobRequestFor } from '#api/intake/public-form.ts';
import type { PublicForm } from '#core/enquiry-form/public-form.ts';
import type { Media } from '#core/job/request/events.ts';
import type { JobRequest } from '#core/job/request/job-request.ts';
import { canonicalJson, type Json } from '#core/kernel/canonical-json.ts';
import { assertSound } from '#core/kernel/errors.ts';
import { formChangedMessage } from '#core/values/former-answers.ts';
import { answerLimits, eachField, validateJobRequest } from '#core/values/job-form.ts';
import { countCharacters, severalLines, singleLine, tooLongMessage, truncate } from '#core/values/text.ts';
import { mediaUpload } from '#core/values/uploads.ts';
import type { FoundForm } from '#projections/public-form/read.ts';
import { changedForm } from './changed-form.ts';
import { assertPlace, pageLimits } from './intake-limits.ts';
import type { PageForm, PagePost } from './page-post.ts';
import { scopeOf, submitJobRequest } from './submit.ts';

/** A form that a page posted, whose it is, and what is known of its sender. `uploads` counts files by source, `turn` is its turn at the decoder. */
export type PostedForm = FoundForm &
  Readonly<{ post: PagePost; sourceHash: string; turn: Turn; correlation: string; uploads: Limiter }>;

/** The id of the job that it became, or what a person has to put right, with the form's texts as they go back and the files that are here. */
export type PageOutcome =
  | Readonly<{ jobId: string }>
  | Readonly<{ failure: HttpError; values: PageForm; media: readonly Media[] }>;

/**
 * Makes a job of a form that a page without JavaScript posted. Its files are stored also where its text is refused, so that they
 * need not be sent again; those of a form that was sent before are here already. One with answers to questions that are asked no more goes
 * back, with them in its description. Throws what no person can put right.
 */
export async function submitPageForm(
  deps: Pick<Deps, 'config' | 'db' | 'files' | 'store' | 'now' | 'newId'>,
  posted: PostedForm,
): Promise<PageOutcome> {
  const { businessId, form, post, sourceHash, correlation } = posted;
  const changed = await changedForm(deps, posted, post.fields);
  const values = changed ? { ...post.fields, description: changed.description } : post.fields;
  const checked = checkPost(form, post, changed && invalid(changed.fields, formChangedMessage));
  const { media, failure: inFiles } = await storeFiles(deps, posted, checked.key);
  if (checked.failure) return { failure: together(checked.failure, inFiles), values, media };
  if (inFiles) return { failure: inFiles, values, media };
  const { body, key } = checked;
  try {
    const jobId = await submitJobRequest(deps, {
      ...{ businessId, body, key, sourceHash, correlation },
      request: jobRequestFor(form, body),
      media: media.map((one) => one.id),
      jobId: deps.newId(),
      ticket: null,
      limits: pageLimits,
      actor: 'customer',
    });
    return { jobId };
  } catch (error) {
    return { failure: shown(error), values, media };
  }
}

/** `key` is that of the request, null while its text is refused. A request that its limits refuse has no picture drawn. */
async function storeFiles(
  deps: Pick<Deps, 'config' | 'db' | 'files' | 'now'>,
  posted: PostedForm,
  key: string | null,
): Promise<PageMedia> {
  const { businessId, post } = posted;
  const none = { media: [], failure: null };
  const hasFiles = post.files.length + post.keptMedia.length + post.tooLarge.length > 0 || post.isCut;
  if (!hasFiles) return none;
  const isSent = async () =>
    key !== null && (await isKeyTaken(deps.db, { scope: scopeOf(businessId), key }, deps.now()));
  if (await isSent()) return none;
  try {
    if (deps.config.rateLimits === 'on') await assertPlace(deps.db, posted, pageLimits, deps.now());
  } catch (error) {
    return { media: [], failure: shown(error) };
  }
  const stored = await storePageMedia(deps, post, posted);
  // The same form may have been sent at the same moment, and have taken the files that waited.
  return stored.failure && (await isSent()) ? none : stored;
}

/**
 * The posted fields as the body that the API takes. Fields and answers that this form never had are left behind: they are
 * of an extension of the browser, and no customer typed them.
 * Throws InvalidInputError with a message for each field that the customer has to put right.
 */
function jobRequestFromPage(form: PublicForm, posted: PageForm): JobRequest {
  const text = (field: string) => posted[field] ?? '';
  const request: JobRequest = {
    ...eachField(text),
    isUrgent: text('isUrgent') === 'on',
    ...(/^[1-5]$/.test(text('unsentFiles')) && { unsentFiles: Number(text('unsentFiles')) }),
    answers: form.questions.map(({ id }) => ({ questionId: id, answer: text(`answer.${id}`) })),
  };
  assertSound({ ...validateJobRequest(request, form.region), ...tooLong(request) });
  return request;
}

function tooLong({ answers = [] }: JobRequest): Record<string, string> {
  const long = answers.filter(
    ({ answer }) => countCharacters(severalLines(answer).trim()) > answerLimits.length,
  );
  const message = tooLongMessage(answerLimits.length);
  return Object.fromEntries(long.map(({ questionId }) => [`answer.${questionId}`, message]));
}

/** The Idempotency-Key of a page that cannot make one: the same request, files and all, sent twice is one job. */
function keyOfPage(slug: string, request: JobRequest, files: readonly string[]): string {
  return createHash('sha256')
    .update([slug, canonicalJson(request as Json), ...files].join('\n'))
    .digest('hex');
}

/** What a person reads beside the form; anything else is thrown on. */
export function shown(error: unknown): HttpError {
  const failure = httpErrorFor(error);
  if (failure.status >= 500 && failure.status !== 503) throw error;
  return failure;
}

/** A form's text, judged: what it asks for and the key of the request, or what is wrong with it. */
type Checked =
  | Readonly<{ body: JobRequest; key: string; failure: null }>
  | Readonly<{ body: null; key: null; failure: HttpError }>;

/** `changed`: that the form asks something else since. */
function checkPost(form: PublicForm, post: PagePost, changed: HttpError | null): Checked {
  const refused = (failure: HttpError) => ({ body: null, key: null, failure }) as const;
  try {
    const body = jobRequestFromPage(form, post.fields);
    if (changed) return refused(changed);
    return { body, key: keyOfPage(form.slug, body, fingerprintOf(post)), failure: null };
  } catch (error) {
    return refused(changed ? together(changed, shown(error)) : shown(error));
  }
}

/** Two refusals as one, in the words of the first; what both say of a field stands there on lines of its own. */
function together(one: HttpError, other: HttpError | null): HttpError {
  if (other === null) return one;
  const fields = { ...other.extra.fields };
  for (const [name, message] of Object.entries(one.extra.fields ?? {}))
    fields[name] = fields[name] === undefined ? message : `${message}\n${fields[name]}`;
  return new HttpError(other.code, one.message, { ...other.extra, fields });
}

/** The files of a form that are here, and what is wrong with another: then the form is shown again, and they with it. */
type PageMedia = Readonly<{ media: readonly Media[]; failure: HttpError | null }>;

type Files = Pick<PostedForm, 'businessId' | 'sourceHash' | 'uploads' | 'turn'>;

/** Stores what came with a form, one after the other so that a request costs no more than one picture's memory. */
async function storePageMedia(
  deps: Pick<Deps, 'config' | 'db' | 'files' | 'now'>,
  { files, keptMedia, hasMore, tooLarge, isCut }: PagePost,
  { businessId, sourceHash, uploads, turn }: Files,
): Promise<PageMedia> {
  const most = mediaUpload.files;
  const kept = [...new Set(keptMedia)].slice(0, most);
  const media = await findWaitingMedia(deps.db, { businessId, ids: kept }, deps.now());
  const room = most - media.length;
  const refusals: HttpError[] = [];
  if (media.length < kept.length) refusals.push(invalid({ media: mediaUpload.lost }));
  if (tooLarge.length > 0) refusals.push(...tooLarge.map((name) => tooLargeError(name)));
  else if (isCut) refusals.push(tooLargeError());
  if (files.length > room || hasMore) refusals.push(invalid({ media: mediaUpload.tooMany }));
  for (const { name, bytes } of files.slice(0, room)) {
    try {
      await uploads.consume(sourceHash);
      media.push(await storeMedia(deps, { businessId, bytes, name, turn }));
    } catch (error) {
      refusals.push(failureOf(error, name));
    }
  }
  return { media, failure: refusals.length === 0 ? null : allOf(refusals) };
}

/** The last refusal, with what each says of a file on a line of its own; each sentence once. */
function allOf(refusals: readonly HttpError[]): HttpError {
  const last = refusals.at(-1) as HttpError;
  const lines = new Set(refusals.map(({ extra, message }) => extra.fields?.media ?? message));
  return new HttpError(last.code, last.message, {
    ...last.extra,
    fields: { media: [...lines].join('\n') },
  });
}

/** What a form's files are, whatever ids they were stored under: the same form sent twice is known by it. */
function fingerprintOf({ files, keptMedia }: PagePost): string[] {
  return [...keptMedia, ...files.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex'))];
}

function tooLargeError(name?: string): HttpError {
  const media = mediaUpload.tooLarge;
  return new HttpError('too-long', media, {
    fields: { media: name === undefined ? media : ofFile(name, media) },
  });
}

/** The same refusal, shown beside the field: what is wrong with a file has its name. */
function failureOf(error: unknown, name: string): HttpError {
  const refusal = shown(error);
  const { media } = refusal.extra.fields ?? {};
  const fields = { media: media === undefined ? refusal.message : ofFile(name, media) };
  return new HttpError(refusal.code, refusal.message, { ...refusal.extra, fields });
}

const ofFile = (name: string, problem: string) => `${truncate(singleLine(name), 60)}: ${problem}`;
