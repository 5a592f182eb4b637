import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { type HttpError, notFound } from '#api/http/answers.ts';
import { BODY_LIMIT } from '#api/http/body/body-rules.ts';
import type { Uploads } from '#api/http/body/uploads.ts';
import { hashSource } from '#api/http/client-address.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf, turnOf } from '#api/http/request-context.ts';
import { findForm } from '#api/intake/public-form.ts';
import { notSentPage, outagePage } from '#api/pages/outage-page.ts';
import type { PublicForm } from '#core/enquiry-form/public-form.ts';
import type { Media } from '#core/job/request/events.ts';
import { isOutage } from '#core/postgres/outage.ts';
import { jobReference } from '#core/values/job-form.ts';
import type { FormPageData } from './form-pages.ts';
import { uploadLimiter } from './intake-limits.ts';
import { type PostedForm, shown, submitPageForm } from './page-form.ts';
import { type PageForm, type PagePost, readPagePost } from './page-post.ts';
import { swallow } from './submit.ts';

/** Posts of one source, whatever is in them: a person who puts things right sends a few. */
const POSTS = { name: 'page-post-source', points: 30, seconds: 600 };

/**
 * POST /t/{slug}: the public form without JavaScript, with up to five files where it is sent as `multipart/form-data`.
 * Answers 303 to `/t/{slug}/sent`, or the form again with what was typed, the files that are here and what is wrong. That the
 * post comes from our own page is checked by `http/edge.ts`.
 */
export function publicFormPages(deps: Deps, uploads: Uploads) {
  const files = uploadLimiter(deps);
  const posts = sharedLimiter(deps, POSTS);

  return new Elysia({ name: 'public-form-pages' }).post('/t/:slug', async ({ params, request }) => {
    const { ip, id: correlation } = contextOf(request);
    const sourceHash = hashSource(ip, deps.config.keys.botCheck);
    let post: PagePost | undefined;
    try {
      uploads.holdBack(request);
      // Before a byte of the body is read: whose form it is, and whether its sender may send one.
      const found = await findForm(deps, params.slug);
      if (found === null) return await page(deps, request, 404);
      await posts.consume(sourceHash);
      using upload = uploads.open(request);
      post = await readPagePost(request, upload);
      return await answer(deps, request, {
        ...{ ...found, post, sourceHash, correlation, uploads: files },
        turn: turnOf(deps, request),
      });
    } catch (error) {
      const failure = shown(error);
      const typed = post ?? (isOutage(error) ? await readShortPost(request, uploads) : null);
      return typed && failure.status === 503
        ? outagePage(new URL(request.url).pathname, {
            ...{ fields: typed.fields, keptMedia: typed.keptMedia },
            hadFiles: typed.files.length + typed.tooLarge.length > 0 || typed.hasMore || typed.isCut,
          })
        : notSentPage(failure);
    }
  });
}

/**
 * What was typed, of a body that any route would read: a longer one is left where it is while form and limits are unknown. Null for
 * that, and for what is no form.
 */
async function readShortPost(request: Request, uploads: Uploads): Promise<PagePost | null> {
  const declared = request.headers.get('content-length');
  if (declared === null || Number(declared) > BODY_LIMIT) return null;
  using upload = uploads.open(request);
  return readPagePost(request, upload).catch(() => null);
}

/** What becomes of a form that is here. */
async function answer(deps: Deps, request: Request, posted: PostedForm): Promise<Response> {
  const { form, post } = posted;
  if (post.fields.website) return sent(form, swallow(deps, request));
  const outcome = await submitPageForm(deps, posted);
  return 'jobId' in outcome ? sent(form, outcome.jobId) : formAgain(deps, request, { form, ...outcome });
}

type Again = Readonly<{ form: PublicForm; values: PageForm; media: readonly Media[]; failure: HttpError }>;

async function formAgain(
  deps: Deps,
  request: Request,
  { form, values, media, failure }: Again,
): Promise<Response> {
  const { fields = {}, headers = {} } = failure.extra;
  const submission = { values, fields, message: failure.message, media };
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
  locals: Partial<FormPageData> = {},
): Promise<Response> {
  if (!deps.pages) throw notFound();
  const get = new Request(request.url, { headers: { accept: 'text/html' } });
  return deps.pages(get, { clientAddress: contextOf(request).ip, status, locals });
}

function sent({ slug }: PublicForm, jobId: string): Response {
  const location = `/t/${slug}/sent?ref=${jobReference(jobId)}`;
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
}
