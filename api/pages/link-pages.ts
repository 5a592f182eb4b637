import type { PageRenderer } from '#api/deps.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { isOutage } from '#core/postgres/outage.ts';
import { unreachablePage } from './outage-page.ts';

/** What the page of a link shows, by its token; throws NotFoundError for a link that opens nothing. */
type ReadPage = (token: string) => Promise<unknown>;

/** By the first part of its path: what a link's page shows, and the name in `Astro.locals` that the page knows it by. */
export type LinkPages = Readonly<Record<string, Readonly<{ local: string; read: ReadPage }>>>;

/**
 * Gives Astro's pages of the links in messages what they show: how things stand now, null for a link that opens
 * nothing. They are written anew for every visit and stored nowhere, as the link itself is the key.
 */
export function withLinkPages(render: PageRenderer, pages: LinkPages): PageRenderer {
  return async (request, init) => {
    const [, kind = '', token = ''] = /^\/([^/]+)\/([^/]+)\/?$/.exec(new URL(request.url).pathname) ?? [];
    const page = Object.hasOwn(pages, kind) ? pages[kind] : undefined;
    if (!page) return render(request, init);
    try {
      const shown = await known(page.read(token));
      const status = init.status ?? (shown === null ? 404 : 200);
      return await render(request, { ...init, status, locals: { ...init.locals, [page.local]: shown } });
    } catch (error) {
      if (!isOutage(error)) throw error;
      return unreachablePage();
    }
  };
}

/** What a link opens, null where it opens nothing. */
function known<T>(page: Promise<T>): Promise<T | null> {
  return page.catch((error: unknown) => {
    if (error instanceof NotFoundError) return null;
    throw error;
  });
}
