import type { JobCardView } from '#core/job/view.ts';
import { readCopies } from '#site/lib/http/query-sources.ts';
import { copies } from '#site/lib/offline/copies.ts';

type List = Readonly<{ jobs?: readonly JobCardView[]; overdue?: Readonly<{ jobs: readonly JobCardView[] }> }>;
type Cached = Readonly<{ card: JobCardView; at: number }>;

/** The newest card of a job among the lists that this browser caches, and when it was answered; null where none has it. */
export async function cachedCard(jobId: string): Promise<Cached | null> {
  const lists = (await copies.paths()).filter((path) => /^\/jobs(\?|\/schedule)/.test(path));
  const found = await Promise.all(lists.map((path) => cardIn(path, jobId)));
  return found.filter((cached) => cached !== null).sort((a, b) => b.at - a.at)[0] ?? null;
}

async function cardIn(path: string, jobId: string): Promise<Cached | null> {
  let at = 0;
  const read = readCopies((time) => (at = time));
  const list = await read<List>(path).catch((): List => ({}));
  const card = [...(list.jobs ?? []), ...(list.overdue?.jobs ?? [])].find(({ id }) => id === jobId);
  return card ? { card, at } : null;
}
