import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import type { Uploads } from '#api/http/body/uploads.ts';
import { hashSource } from '#api/http/client-address.ts';
import { type HttpError, notFound } from '#api/http/errors.ts';
import { isKeyTaken } from '#api/http/idempotency.ts';
import { type Limiter, sharedLimiter } from '#api/http/limits.ts';
import { contextOf } from '#api/http/request-context.ts';
import { notSentPage, outagePage } from '#api/pages/outage-page.ts';
import type { PublicForm } from '#core/enquiry-form/public-form.ts';
import type { JobRequest } from '#core/job/commands.ts';
import type { Media } from '#core/job/events.ts';
import { isOutage } from '#core/postgres/outage.ts';
import { jobReference } from '#core/values/job-form.ts';
import type { FoundForm } from '#projections/public-form/read.ts';
import { pageLimits, uploadLimiter } from './intake-limits.ts';
import { findForm, jobRequestFor } from './job-request.ts';
import { type Checked, checkPost, type PageMedia, shown, storePageMedia, together } from './page-form.ts';
import { type PagePost, readPagePost } from './page-post.ts';
import { scopeOf, submitJobRequest, swallow } from './submit.ts';

/** Posts of one source, whatever is in them: a person who puts things right sends a few. */
const POSTS = { name: 'page-post-source', points: 30, seconds: 600 };

/**
 * POST /t/{slug}: the public form without JavaScript, with up to five files where it is sent as `multipart/form-data`.
 * Answers 303 to `/t/{slug}/sent`, or the form again with what was typed, the files that are here and what is wrong. That the
 * post comes from our own page is checked by `http/form-origin.ts`.
 */
export function publicFormPages(deps: Deps, uploads: Uploads) {
  const files = uploadLimiter(deps);
  const posts = sharedLimiter(deps, POSTS);

  return new Elysia({ name: 'public-form-pages' }).post('/t/:slug', async ({ params, request }) => {
    // Before a byte of the body is read: whose form it is, and whether its sender may send one.
    const found = await findForm(deps, params.slug).catch(outage);
    if (found === null) return cutOff(await page(deps, request, 404));
    try {
      if (found !== 'outage') await posts.consume(sourceOf(deps, request));
      using upload = uploads.open(request);
      const post = await readPagePost(request, upload);
      if (found === 'outage') return outagePage(new URL(request.url).pathname, post.fields);
      return await answer(deps, request, { ...found, post, uploads: files });
    } catch (error) {
      return notSentPage(shown(error));
    }
  });
}

/** What becomes of a form that is here. */
async function answer(deps: Deps, request: Request, arrived: Arrived): Promise<Response> {
  const { form, post } = arrived;
  if (post.fields.website) return sent(form, swallow(deps, request));
  const checked = checkPost(form, post);
  const stored = await storeFiles(deps, request, arrived, checked);
  const failure = together(checked.failure, stored.failure);
  const again = { form, post, media: stored.media };
  if (failure) return formAgain(deps, request, { ...again, failure });
  try {
    return sent(form, await submit(deps, request, { ...arrived, ...checked, media: stored.media }));
  } catch (error) {
    return formAgain(deps, request, { ...again, failure: shown(error) });
  }
}

function sourceOf({ config }: Deps, request: Request): string {
  return hashSource(contextOf(request).ip, config.keys.botCheck);
}

/** Ends the connection with the answer: what is still on its way is not read. */
function cutOff(response: Response): Response {
  response.headers.set('connection', 'close');
  return response;
}

function outage(error: unknown): 'outage' {
  if (isOutage(error)) return 'outage';
  throw error;
}

type Arrived = FoundForm & Readonly<{ post: PagePost; uploads: Limiter }>;

/** Files of a form that was sent before are here already. */
async function storeFiles(
  deps: Deps,
  request: Request,
  { businessId, post, uploads }: Arrived,
  { body, key }: Checked,
): Promise<PageMedia> {
  if (post.files.length === 0 && post.keptMedia.length === 0 && !post.isCut)
    return { media: [], failure: null };
  const taken = body && (await isKeyTaken(deps.db, { scope: scopeOf(businessId), key }, deps.now()));
  if (taken) return { media: [], failure: null };
  return storePageMedia(deps, post, { businessId, sourceHash: sourceOf(deps, request), uploads });
}

type Sendable = FoundForm & Readonly<{ body: JobRequest | null; key: string; media: readonly Media[] }>;

async function submit(
  deps: Deps,
  request: Request,
  { businessId, form, body, key, media }: Sendable,
): Promise<string> {
  if (body === null) throw new TypeError('nothing to send');
  const { id } = contextOf(request);
  return submitJobRequest(deps, {
    businessId,
    body,
    request: jobRequestFor(form, body),
    media: media.map((one) => one.id),
    jobId: deps.newId(),
    key,
    ticket: null,
    limits: pageLimits,
    sourceHash: sourceOf(deps, request),
    actor: 'customer',
    correlation: id,
  });
}

type Again = Readonly<{ form: PublicForm; post: PagePost; media: readonly Media[]; failure: HttpError }>;

async function formAgain(
  deps: Deps,
  request: Request,
  { form, post, media, failure }: Again,
): Promise<Response> {
  const { fields = {}, headers = {} } = failure.extra;
  const submission = { values: post.fields, fields, message: failure.message, media };
  const response = await page(deps, request, failure.status, { submission, publicForm: async () => form });
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  response.headers.set('cache-control', 'no-store');
  return response;
}

/** The page of the request's address, as a visitor would get it, with another status. */
function page(
  deps: Deps,
  request: Request,
  status: number,
  locals: Record<string, unknown> = {},
): Promise<Response> {
  if (!deps.pages) throw notFound();
  const get = new Request(request.url, { headers: { accept: 'text/html' } });
  return deps.pages(get, { clientAddress: contextOf(request).ip, status, locals });
}

function sent({ slug }: PublicForm, jobId: string): Response {
  const location = `/t/${slug}/sent?ref=${jobReference(jobId)}`;
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
}
