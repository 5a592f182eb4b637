import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { httpErrorFor } from '#api/http/errors.ts';
import { type HttpError, notFound } from '#api/http/http-errors.ts';
import { isOutage } from '#api/http/outage.ts';
import { contextOf } from '#api/http/request-context.ts';
import type { PublicForm } from '#core/enquiry-form/public-form.ts';
import { jobReference } from '#core/values/job-reference.ts';
import { findForm } from './find-form.ts';
import { hashSource, pageLimits } from './intake-limits.ts';
import { jobRequestFor } from './job-request.ts';
import { outagePage } from './outage-page.ts';
import { jobRequestFromPage, keyOfPage, type PageForm } from './page-form.ts';
import { submitJobRequest, swallow } from './submit.ts';

/**
 * POST /t/{slug}: the public form without JavaScript. Answers 303 to `/t/{slug}/sent`, or the form again with what was
 * typed and what is wrong with it. That the post comes from our own page is checked by `http/form-origin.ts`.
 */
export function publicFormPages(deps: Deps) {
  return new Elysia({ name: 'public-form-pages' }).post('/t/:slug', async ({ params, request }) => {
    const posted = (contextOf(request).body ?? {}) as PageForm;
    const found = await findForm(deps, params.slug).catch(outage);
    if (found === 'outage') return outagePage(new URL(request.url).pathname, posted);
    if (found === null) return page(deps, request, 404);
    try {
      const jobId = await submit(deps, request, { ...found, posted });
      return seeOther(`/t/${found.form.slug}/sent?ref=${jobReference(jobId)}`);
    } catch (error) {
      const failure = httpErrorFor(error);
      if (failure.status >= 500 && failure.status !== 503) throw error;
      return formAgain(deps, request, { ...found, posted, failure });
    }
  });
}

function outage(error: unknown): 'outage' {
  if (isOutage(error)) return 'outage';
  throw error;
}

type Posted = Readonly<{ businessId: string; form: PublicForm; posted: PageForm }>;

async function submit(deps: Deps, request: Request, { businessId, form, posted }: Posted): Promise<string> {
  if (posted.website) return swallow(deps, request);
  const body = jobRequestFromPage(form, posted);
  const { ip, id } = contextOf(request);
  return submitJobRequest(deps, {
    businessId,
    body,
    request: jobRequestFor(form, body),
    jobId: deps.newId(),
    key: keyOfPage(form.slug, body),
    ticket: null,
    limits: pageLimits,
    sourceHash: hashSource(ip, deps.config.keys.botCheck),
    actor: 'customer',
    correlation: id,
  });
}

async function formAgain(
  deps: Deps,
  request: Request,
  { form, posted, failure }: Posted & { failure: HttpError },
): Promise<Response> {
  const submission = { values: posted, fields: failure.extra.fields ?? {}, message: failure.message };
  const response = await page(deps, request, failure.status, { submission, publicForm: async () => form });
  for (const [name, value] of Object.entries(failure.extra.headers ?? {})) response.headers.set(name, value);
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

function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
}
