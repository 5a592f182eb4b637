import { LRUCache } from 'lru-cache';
import type { StaticFile } from '#api/deps.ts';
import type { PublicForm } from '#core/enquiry-form/public-form.ts';
import type { ReadSide } from '#projections/runtime/read-side/read-side.ts';

/** How long a page is taken for what a new one would be, should no change be heard of, in milliseconds. */
const FRESH = 60_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** What an entry takes beside its bytes, roughly. */
const OVERHEAD = 4_096;

/** A public form's page as every visitor gets it. */
export type CachedPage = Readonly<{ businessId: string; form: PublicForm; file: StaticFile }>;

type Entry = CachedPage & Readonly<{ cachedAt: number }>;

export type PageCache = Readonly<{
  /** The page at an address (lower case). One that is no longer `fresh` serves while no new one can be had. */
  get(slug: string): { page: CachedPage; fresh: boolean } | undefined;
  /** The file of the page at an address (lower case), while it is fresh. */
  fresh(slug: string): StaticFile | undefined;
  /** Ask before reading what a page is made of; give the answer to `keep`. */
  generation(): number;
  /** Keeps a page, unless something changed since `generation` and it may show what was before. */
  keep(slug: string, page: CachedPage, generation: number): void;
}>;

/**
 * Rendered pages in memory, 64 MB at most, those used longest ago leaving first. A business's are dropped when it or its
 * form changes, all of them whenever changes may have been missed.
 */
export function createPageCache(
  readSide: Pick<ReadSide, 'onChange' | 'onGap'>,
  most = MOST_BYTES,
): PageCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: most,
    sizeCalculation: ({ file }) => sizeOf(file),
  });
  let generation = 0;

  function dropWhere(isOutdated: (entry: Entry) => boolean): void {
    generation += 1;
    for (const [slug, entry] of [...entries]) if (isOutdated(entry)) entries.delete(slug);
  }

  readSide.onChange(({ kind, businessId }) => {
    if (kind === 'business' || kind === 'form') dropWhere((entry) => entry.businessId === businessId);
  });
  readSide.onGap(() => dropWhere(() => true));

  return {
    get(slug) {
      const entry = entries.get(slug);
      return entry && { page: entry, fresh: isFresh(entry) };
    },
    fresh(slug) {
      const entry = entries.get(slug);
      return entry && isFresh(entry) ? entry.file : undefined;
    },
    generation: () => generation,
    keep(slug, page, seen) {
      if (seen === generation) entries.set(slug, { ...page, cachedAt: performance.now() });
    },
  };
}

function isFresh({ cachedAt }: Entry): boolean {
  return performance.now() - cachedAt < FRESH;
}

/** Brotli may still be on its way: it is at most as long as gzip. */
function sizeOf({ bytes, encoded }: StaticFile): number {
  return bytes.length + 2 * (encoded.get('gzip')?.length ?? 0) + OVERHEAD;
}
