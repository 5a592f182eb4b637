import { createApp } from 'astro/app/entrypoint';
import { setGetEnv } from 'astro/env/setup';

setGetEnv((key) => process.env[key]);
const app = createApp({ streaming: true });

/** What a request brings besides itself; `locals` reach the page as `Astro.locals`. */
export type RenderInit = {
  clientAddress: string;
  locals?: Record<string, unknown>;
  /** Answers Astro's request for a prerendered error page (`/404.html`, `/500.html`). */
  errorPage: (url: string | URL) => Promise<Response>;
};

function options(init: RenderInit) {
  return {
    addCookieHeader: true,
    clientAddress: init.clientAddress,
    locals: init.locals ?? {},
    prerenderedErrorPageFetch: init.errorPage,
  };
}

/** The answer of an on-demand page of ours; null where no such page matches. */
export async function handle(request: Request, init: RenderInit): Promise<Response | null> {
  const routeData = app.match(request);
  return routeData?.origin === 'project' ? app.render(request, { ...options(init), routeData }) : null;
}

/** Every route of the build: its template (`/t/[slug]`), and who brought it. */
export const routes = app.manifest.routes.map(({ routeData: { route, origin, prerender } }) => ({
  ...{ route, origin, prerender },
}));
