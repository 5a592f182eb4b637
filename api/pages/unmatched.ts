import { Elysia } from 'elysia';
import type { Pages } from '#api/deps.ts';
import { HttpError, notFound } from '#api/http/answers.ts';
import { isApi } from '#api/http/edge.ts';
import { contextOf } from '#api/http/request-context.ts';

type Route = Readonly<{ method: string; path: string }>;

/** What no route took: 404 or 405 below `/api`, the site's pages elsewhere. */
export function unmatched(deps: Pick<Pages, 'pages' | 'hasPage'>, routes: () => readonly Route[]) {
  let allowed: ((pathname: string) => string[]) | undefined;
  return new Elysia({ name: 'unmatched' }).all('/*', ({ request }) => {
    const { pathname } = new URL(request.url);
    allowed ??= methodTable(routes());
    const methods = allowed(pathname);
    if (isApi(pathname)) {
      if (methods.length === 0) throw notFound();
      throw notAllowed(methods);
    }
    const isPage = deps.hasPage?.(pathname) ?? true;
    if (!deps.pages || (!isPage && !isRead(request) && methods.length === 0)) throw notFound();
    if (!isRead(request)) throw notAllowed(isPage ? ['GET', ...methods] : methods);
    return deps.pages(request, { clientAddress: contextOf(request).ip });
  });
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

function notAllowed(methods: readonly string[]): HttpError {
  // What can be read can be asked for without its body.
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return new HttpError('wrong-method', 'This is not possible here', {
    headers: { allow: [...new Set(allowed)].join(', ') },
  });
}

/** Which methods a path has. */
function methodTable(routes: readonly Route[]): (pathname: string) => string[] {
  const known = routes
    .filter(({ path }) => !path.includes('*'))
    .map(({ method, path }) => ({ method, pattern: patternOf(path.replace(/\/$/, '')) }));
  return (pathname) => known.filter(({ pattern }) => pattern.test(pathname)).map(({ method }) => method);
}

function patternOf(template: string): RegExp {
  const literal = template.replace(/[.+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace(/:[^/]+/g, '[^/]+')}/?$`);
}
