import type { Deps } from '#api/deps.ts';
import { httpErrorFor } from '#api/http/errors.ts';
import { type HttpError, notFound } from '#api/http/http-errors.ts';
import { contextOf } from '#api/http/request-context.ts';

/**
 * The answer to the button of a link's page: back to the page by 303, which says by itself how things stand (a link that
 * is none, a job answered meanwhile); what it cannot know, such as that this was too often, it is told.
 */
export async function afterPress(
  deps: Deps,
  request: Request,
  work: () => Promise<unknown>,
): Promise<Response> {
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
