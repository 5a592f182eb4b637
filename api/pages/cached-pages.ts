import { LRUCache } from 'lru-cache';
import type { Deps, PageRenderer, StaticFile } from '#api/deps.ts';
import { securityHeaders } from '#api/http/edge.ts';
import { likeAnswers } from '#api/http/log.ts';
import { acceptedEncodings, type Encoding } from '#api/runtime/compression.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { isOutage } from '#core/postgres/outage.ts';
import { unreachablePage } from './outage-page.ts';

type Answer = Readonly<{ bytes: BodyInit; headers: Readonly<Record<string, string>> }>;

/** How an answer is counted and logged: under the route of other visits of the same pages. */
export const cachedAnswer = { method: 'GET', route: '/*', status: 200 } as const;

/** So many spellings of Accept-Encoding are remembered: browsers have a handful. */
const SPELLINGS = 100;

/**
 * Answers `GET /t/{slug}` from memory before anything else looks at the request: the visit that everybody makes, and the one
 * that a shared link brings by the thousand. Undefined for whatever needs more than that: then the usual way leads to
 * the very same answer.
 */
export function cachedPages(
  deps: Pick<Deps, 'config' | 'cachedPage' | 'newId' | 'logger' | 'isStale'>,
  observe: (seconds: number) => void,
): (request: Request) => Response | undefined {
  const always = securityHeaders(deps.config);
  const log = likeAnswers(deps.logger, cachedAnswer);
  const composed = new WeakMap<StaticFile, Map<Encoding | 'plain', Answer>>();
  const spellings = new LRUCache<string, Encoding[]>({ max: SPELLINGS });

  function accepted(header: string | null): Encoding[] {
    const known = spellings.get(header ?? '');
    if (known) return known;
    const encodings = acceptedEncodings(header);
    spellings.set(header ?? '', encodings);
    return encodings;
  }

  function answerOf(file: StaticFile, request: Request): Answer {
    const encodings = accepted(request.headers.get('accept-encoding'));
    const encoding = encodings.find((one) => file.encoded.has(one)) ?? 'plain';
    let answers = composed.get(file);
    if (!answers) composed.set(file, (answers = new Map()));
    let answer = answers.get(encoding);
    if (!answer) answers.set(encoding, (answer = compose(file, encoding, always)));
    return answer;
  }

  return (request) => {
    if (request.method !== 'GET' || deps.isStale?.() || request.headers.has('if-none-match'))
      return undefined;
    const slug = slugOf(request.url);
    const file = slug && deps.cachedPage?.(slug);
    if (!file) return undefined;
    const startedAt = performance.now();
    const id = deps.newId();
    const { bytes, headers } = answerOf(file, request);
    const answer = new Response(bytes, { headers: { ...headers, 'x-request-id': id } });
    const seconds = (performance.now() - startedAt) / 1_000;
    log(seconds, id);
    observe(seconds);
    return answer;
  };
}

function compose(file: StaticFile, encoding: Encoding | 'plain', always: Answer['headers']): Answer {
  const bytes = (encoding === 'plain' ? undefined : file.encoded.get(encoding)) ?? file.bytes;
  const headers = {
    ...{ ...always, ...file.headers, 'content-length': String(bytes.length) },
    ...(encoding === 'plain' ? {} : { 'content-encoding': encoding }),
  };
  return { bytes, headers };
}

/** The slug of `…://host/t/{slug}`, in lower case; null for every other address. A parser of addresses costs more than the answer. */
function slugOf(url: string): string | null {
  const path = url.indexOf('/', url.indexOf('://') + 3);
  if (path === -1 || !url.startsWith('/t/', path)) return null;
  const query = url.indexOf('?', path);
  const slug = url.slice(path + 3, query === -1 ? undefined : query);
  return /^[\w-]{3,20}$/.test(slug) ? slug.toLowerCase() : null;
}

/** What the page of a link shows, by its token; throws NotFoundError for a link that opens nothing. */
type ReadPage = (token: string) => Promise<unknown>;

/**
 * By the first part of its path: what a link's page shows, and the name in `Astro.locals` that the page knows it by. `readEnded`: what
 * it shows as `endedLink` of a link that has ended; null for a token that never was one.
 */
export type LinkPages = Readonly<
  Record<
    string,
    Readonly<{ local: string; read: ReadPage; readEnded?: (token: string) => Promise<object | null> }>
  >
>;

/**
 * Gives Astro's pages of the links in messages what they show: how things stand now, null for a link that opens
 * nothing, with 404, or 410 where it is known to have ended. They are written anew for every visit and stored nowhere, as the link itself is the key.
 */
export function withLinkPages(render: PageRenderer, pages: LinkPages): PageRenderer {
  return async (request, init) => {
    const [, kind = '', token = ''] = /^\/([^/]+)\/([^/]+)\/?$/.exec(new URL(request.url).pathname) ?? [];
    const page = Object.hasOwn(pages, kind) ? pages[kind] : undefined;
    if (!page) return render(request, init);
    try {
      const shown = await known(page.read(token));
      const endedLink = shown === null ? ((await page.readEnded?.(token)) ?? null) : null;
      const status = init.status ?? (shown !== null ? 200 : endedLink === null ? 404 : 410);
      const locals = { ...init.locals, [page.local]: shown, ...(endedLink && { endedLink }) };
      return await render(request, { ...init, status, locals });
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
