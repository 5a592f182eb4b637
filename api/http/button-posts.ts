import type { Deps, Pages } from '#api/deps.ts';
import { type HttpError, httpErrorFor, notFound } from './answers.ts';
import { addressKey } from './client-address.ts';
import { sharedLimiter } from './limits.ts';
import { contextOf } from './request-context.ts';

/** Answers from one client in ten minutes: far more than a person presses. */
const LIMIT = { name: 'answer-link', points: 60, seconds: 600 };

/** Counts an answer by a link, from the page or the API. Throws 429. */
export function answerLimit(deps: Pick<Deps, 'config' | 'db'>): (request: Request) => Promise<unknown> {
  const limiter = sharedLimiter(deps, LIMIT);
  return (request) => limiter.consume(addressKey(contextOf(request).ip));
}

/**
 * The answer to the button of a link's page: back to the page by 303, which says by itself how things stand (a link that
 * is none, a job answered meanwhile), at the part of it that `place` names (an id, or a query that it reads); what the page cannot know, such as that this was too often, is shown on it. A file that `work`
 * answers goes out as it is.
 */
export async function redirectAfterPost(
  pages: Pages,
  request: Request,
  work: () => Promise<unknown>,
  place: Readonly<{ done?: `#${string}`; refused?: `?${string}` }> = {},
): Promise<Response> {
  const { pathname } = new URL(request.url);
  const again = (part = '') =>
    new Response(null, { status: 303, headers: { location: pathname + part, 'cache-control': 'no-store' } });
  try {
    const made = await work();
    return made instanceof Response ? made : again(place.done);
  } catch (error) {
    const failure = httpErrorFor(error);
    if (failure.status === 404 || failure.status === 409) return again(place.refused);
    if (failure.status >= 500 && failure.status !== 503) throw error;
    return pageWith(pages, request, failure);
  }
}

/** `notice`: why what was posted has not been done, for the page that it came from. */
export type NoticeData = Readonly<{ notice?: string }>;

async function pageWith({ pages }: Pages, request: Request, failure: HttpError): Promise<Response> {
  if (!pages) throw notFound();
  const get = new Request(request.url, { headers: { accept: 'text/html' } });
  const { ip: clientAddress } = contextOf(request);
  const locals: NoticeData = { notice: failure.message };
  const page = await pages(get, { clientAddress, status: failure.status, locals });
  for (const [name, value] of Object.entries(failure.extra.headers ?? {})) page.headers.set(name, value);
  return page;
}
