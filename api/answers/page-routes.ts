import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { httpErrorFor } from '#api/http/errors.ts';
import { badRequest, type HttpError, notFound } from '#api/http/http-errors.ts';
import { contextOf } from '#api/http/request-context.ts';
import { admitAnswers } from './admit-answers.ts';
import { type Answer, answerJob } from './answer-job.ts';
import { sayNotNeeded } from './not-needed.ts';

/**
 * The buttons of the pages behind the links in messages, as plain forms: POST /answer/{token} with `answer`, POST
 * /not-needed/{token}. Both lead back to the page by 303, which then says how things stand. That the post comes from
 * our own page is checked by `http/form-origin.ts`; GET never acts, because mail scanners follow links.
 */
export function answerPages(deps: Deps) {
  const admit = admitAnswers(deps);
  const act = (request: Request, deed: (correlation: string) => Promise<unknown>) =>
    answerOf(deps, request, async () => {
      await admit(request);
      await deed(contextOf(request).id);
    });
  return new Elysia({ name: 'answer-pages' })
    .post('/answer/:token', ({ params, request }) => {
      const answer = postedAnswer(request);
      return act(request, (correlation) => answerJob(deps, params.token, { answer, correlation }));
    })
    .post('/not-needed/:token', ({ params, request }) =>
      act(request, (correlation) => sayNotNeeded(deps, params.token, correlation)),
    );
}

function postedAnswer(request: Request): Answer {
  const { answer } = (contextOf(request).body ?? {}) as { answer?: unknown };
  if (answer === 'accept' || answer === 'decline') return answer;
  throw badRequest('Accept or decline');
}

/** What the page shows by itself (a link that is none, a job answered meanwhile) leads there; the rest it is told. */
async function answerOf(deps: Deps, request: Request, work: () => Promise<void>): Promise<Response> {
  const { pathname } = new URL(request.url);
  const again = new Response(null, {
    status: 303,
    headers: { location: pathname, 'cache-control': 'no-store' },
  });
  try {
    await work();
    return again;
  } catch (error) {
    const failure = httpErrorFor(error);
    if (failure.status === 404 || failure.status === 409) return again;
    if (failure.status >= 500 && failure.status !== 503) throw error;
    return pageWith(deps, request, failure);
  }
}

async function pageWith(deps: Deps, request: Request, failure: HttpError): Promise<Response> {
  if (!deps.pages) throw notFound();
  const get = new Request(request.url, { headers: { accept: 'text/html' } });
  const { ip: clientAddress } = contextOf(request);
  const page = await deps.pages(get, {
    ...{ clientAddress, status: failure.status, locals: { notice: failure.message } },
  });
  for (const [name, value] of Object.entries(failure.extra.headers ?? {})) page.headers.set(name, value);
  return page;
}
