import { LRUCache } from 'lru-cache';
import type { Deps, PageRenderer, StaticFile } from '#api/deps.ts';
import { findForm } from '#api/intake/public-form.ts';
import { unreachablePage } from '#api/pages/outage-page.ts';
import { compressedForms, etagOf, sendFile } from '#api/pages/static-files.ts';
import type { PublicForm } from '#core/enquiry-form/public-form.ts';
import type { Media } from '#core/job/request/events.ts';
import { isOutage } from '#core/postgres/outage.ts';
import type { ReadSide } from '#projections/runtime/read-side/read-side.ts';
import type { PageForm } from './page-post.ts';

/** What the pages of a public form show. */
export type FormPageData = Readonly<{
  /** The form that a business has published, or null where the slug is unknown. */
  publicForm(slug: string): Promise<PublicForm | null>;
  /** A refused submission without JavaScript: what was typed, the message of each bad field, one for all, files that are here. */
  submission?: Readonly<{
    values: PageForm;
    fields: Readonly<Record<string, string>>;
    message: string;
    media: readonly Media[];
  }>;
}>;

/** Headers of a rendered page that are not the page's own. */
const PER_ANSWER = ['content-length', 'content-encoding', 'cache-control', 'date'];

/** `movedTo`: the slug that the business has now. */
type Rendered = CachedPage | 'unknown' | Readonly<{ movedTo: string }> | Response;

/**
 * Gives Astro's pages the public forms they show. `/t/{slug}` comes from memory: the same bytes for everybody, rendered
 * anew when its business changes. While the database is unavailable it is sent as it was last (`x-read-model: stale`).
 */
export function withPublicForms(
  render: PageRenderer,
  deps: Pick<Deps, 'db' | 'readSide' | 'config' | 'now' | 'isStale'>,
  cache = createPageCache(deps.readSide),
): PageRenderer {
  const { config, isStale } = deps;
  const rendering = new Map<string, Promise<Rendered>>();

  async function renderNew(slug: string): Promise<Rendered> {
    const generation = cache.generation();
    const found = await findForm(deps, slug);
    if (found?.form.slug !== slug) cache.drop(slug);
    if (!found) return 'unknown';
    if (found.form.slug !== slug) return { movedTo: found.form.slug };
    const request = new Request(new URL(`/t/${found.form.slug}`, config.publicOrigin));
    const answer = await render(request, {
      clientAddress: '127.0.0.1',
      locals: { publicForm: async () => found.form } satisfies FormPageData,
    });
    if (answer.status !== 200) return answer;
    const page = { ...found, file: await fileOf(answer) };
    cache.keep(slug, page, generation);
    return page;
  }

  /** Visitors who come at once share one rendering. */
  function renderOnce(slug: string): Promise<Rendered> {
    const running = rendering.get(slug) ?? renderNew(slug).finally(() => rendering.delete(slug));
    rendering.set(slug, running);
    return running;
  }

  async function formPage(slug: string, request: Request, init: Init): Promise<Response> {
    const cached = cache.get(slug);
    if (cached?.fresh) return send(cached.page, request, isStale?.() ?? false);
    try {
      const rendered = await renderOnce(slug);
      if (rendered === 'unknown')
        return render(request, { ...init, locals: { publicForm: async () => null } satisfies FormPageData });
      if ('movedTo' in rendered) return moved(rendered.movedTo, request);
      return rendered instanceof Response ? rendered.clone() : send(rendered, request, false);
    } catch (error) {
      if (!isOutage(error)) throw error;
      return cached ? send(cached.page, request, true) : unreachablePage();
    }
  }

  /** Any other page: what it asks of a form comes from the database, or from memory while that is unavailable. */
  async function otherPage(request: Request, init: Init): Promise<Response> {
    let isAway = false;
    const publicForm: FormPageData['publicForm'] = async (slug) => {
      try {
        return (await findForm(deps, slug))?.form ?? null;
      } catch (error) {
        const cached = cache.get(slug.toLowerCase());
        if (cached && isOutage(error)) return cached.page.form;
        isAway = isOutage(error);
        throw error;
      }
    };
    const answer = await render(request, { ...init, locals: { publicForm, ...init.locals } });
    return isAway ? unreachablePage() : answer;
  }

  return (request, init) => {
    const slug = /^\/t\/([^/]+)\/?$/.exec(new URL(request.url).pathname)?.[1];
    const isPlain = init.locals === undefined && init.status === undefined;
    return slug && isPlain ? formPage(slug.toLowerCase(), request, init) : otherPage(request, init);
  };
}

/** The address may lead elsewhere another day, so a browser is not to remember where it led. */
function moved(slug: string, request: Request): Response {
  const location = `/t/${slug}${new URL(request.url).search}`;
  return new Response(null, { status: 301, headers: { location, 'cache-control': 'no-cache' } });
}

type Init = Parameters<PageRenderer>[1];

async function fileOf(answer: Response): Promise<CachedPage['file']> {
  const bytes: StaticFile['bytes'] = new Uint8Array(await answer.arrayBuffer());
  const own = [...answer.headers].filter(([name]) => !PER_ANSWER.includes(name));
  const headers = { ...Object.fromEntries(own), 'cache-control': 'no-cache', etag: etagOf(bytes) };
  return { bytes, headers, encoded: await compressedForms(bytes) };
}

function send({ file }: CachedPage, request: Request, stale: boolean): Response {
  const answer = sendFile(file, request);
  if (stale) answer.headers.set('x-read-model', 'stale');
  return answer;
}

/** How long a page is taken for what a new one would be, should no change be heard of, in milliseconds. */
const FRESH = 60_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** What an entry takes beside its bytes, roughly. */
const OVERHEAD = 4_096;

/** A public form's page as every visitor gets it. */
export type CachedPage = Readonly<{ businessId: string; form: PublicForm; file: StaticFile }>;

/** `gaps`: how often changes may have been missed before what it is made of was read. */
type Entry = CachedPage & Readonly<{ cachedAt: number; gaps: number }>;

export type PageCache = Readonly<{
  /** The page at an address (lower case). One that is no longer `fresh` serves while no new one can be had. */
  get(slug: string): { page: CachedPage; fresh: boolean } | undefined;
  /** The file of the page at an address (lower case), while it is fresh. */
  fresh(slug: string): StaticFile | undefined;
  /** Ask before reading what a page is made of; give the answer to `keep`. */
  generation(): Generation;
  /** Keeps a page, unless something changed since `generation` and it may show what was before. */
  keep(slug: string, page: CachedPage, generation: Generation): void;
  /** For an address that no page is at any more. */
  drop(slug: string): void;
}>;

/** How many changes were heard of, and how often some may have been missed. */
type Generation = Readonly<{ changes: number; gaps: number }>;

/**
 * Rendered pages in memory, 64 MB at most, those used longest ago leaving first. A business's are dropped when it or its
 * form changes; none is fresh any more where changes may have been missed, as at the end of an outage that another one follows.
 */
export function createPageCache(
  readSide: Pick<ReadSide, 'onChange' | 'onGap'>,
  most = MOST_BYTES,
): PageCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: most,
    sizeCalculation: ({ file }) => sizeOf(file),
  });
  let changes = 0;
  let gaps = 0;

  function dropBusiness(businessId: string): void {
    changes += 1;
    for (const [slug, entry] of [...entries]) if (entry.businessId === businessId) entries.delete(slug);
  }

  readSide.onChange(({ kind, businessId }) => {
    if (kind === 'business' || kind === 'form') dropBusiness(businessId);
  });
  readSide.onGap(() => {
    gaps += 1;
  });
  const isFresh = (entry: Entry) => entry.gaps === gaps && performance.now() - entry.cachedAt < FRESH;

  return {
    get(slug) {
      const entry = entries.get(slug);
      return entry && { page: entry, fresh: isFresh(entry) };
    },
    fresh(slug) {
      const entry = entries.get(slug);
      return entry && isFresh(entry) ? entry.file : undefined;
    },
    generation: () => ({ changes, gaps }),
    keep(slug, page, seen) {
      if (seen.changes !== changes) return;
      entries.set(slug, { ...page, cachedAt: performance.now(), gaps: seen.gaps });
    },
    drop: (slug) => void entries.delete(slug),
  };
}

/** Brotli may still be on its way: it is at most as long as gzip. */
function sizeOf({ bytes, encoded }: StaticFile): number {
  return bytes.length + 2 * (encoded.get('gzip')?.length ?? 0) + OVERHEAD;
}
