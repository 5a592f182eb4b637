import { readWelcomePage } from '#api/accounts/contact/email-confirmation.ts';
import type { Deps, PageRenderer } from '#api/deps.ts';
import { unreachablePage } from '#api/intake/public-form/outage-page.ts';
import { readUnsubscribePage } from '#api/messages/announcements/unsubscribe.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { isOutage } from '#core/postgres/outage.ts';
import { readAnswerPage } from './answer-job.ts';
import { readNotNeededPage } from './not-needed.ts';

type PageDeps = Pick<Deps, 'config' | 'db' | 'store' | 'now' | 'readSide'>;

/** By the first part of its path: what a page shows, under the name that the page knows it by. */
const pages = {
  answer: async (deps: PageDeps, token: string) => ({ answerLink: await known(readAnswerPage(deps, token)) }),
  'not-needed': async (deps: PageDeps, token: string) => ({
    notNeededLink: await known(readNotNeededPage(deps, token)),
  }),
  welcome: async (deps: PageDeps, token: string) => ({
    welcomeLink: await known(readWelcomePage(deps, token)),
  }),
  unsubscribe: async (deps: PageDeps, token: string) => ({
    unsubscribeLink: await known(readUnsubscribePage(deps, token)),
  }),
} as const;
const path = /^\/(answer|not-needed|unsubscribe|welcome)\/([^/]+)\/?$/;

/**
 * Gives Astro's pages of the links in messages what they show: how things stand now, null for a link that opens
 * nothing. They are written anew for every visit and stored nowhere, as the link itself is the key.
 */
export function withLinkPages(render: PageRenderer, deps: PageDeps): PageRenderer {
  return async (request, init) => {
    const [, kind, token = ''] = path.exec(new URL(request.url).pathname) ?? [];
    if (!isPage(kind)) return render(request, init);
    try {
      const shown = await pages[kind](deps, token);
      const status = init.status ?? (Object.values(shown)[0] === null ? 404 : 200);
      return await render(request, { ...init, status, locals: { ...init.locals, ...shown } });
    } catch (error) {
      if (!isOutage(error)) throw error;
      return unreachablePage();
    }
  };
}

function isPage(kind: string | undefined): kind is keyof typeof pages {
  return kind !== undefined && kind in pages;
}

/** What a link opens, null where it opens nothing. */
function known<T>(page: Promise<T>): Promise<T | null> {
  return page.catch((error: unknown) => {
    if (error instanceof NotFoundError) return null;
    throw error;
  });
}
