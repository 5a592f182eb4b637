import type { JobCardView } from '#core/job/view.ts';
import { readCopies } from '#site/lib/http/query.ts';
import { type Copies, copies } from '#site/lib/offline/copies.ts';

type Cached = Readonly<{ card: JobCardView; at: number }>;

/** The newest card of a job among the lists that this browser caches, and when it was answered; null where none has it. */
export async function cachedCard(
  jobId: string,
  cached: Pick<Copies, 'paths' | 'read'> = copies,
): Promise<Cached | null> {
  const lists = (await cached.paths()).filter(isList);
  const found = await Promise.all(lists.map((path) => cardIn(path, jobId, cached)));
  return found.filter((card) => card !== null).sort((a, b) => b.at - a.at)[0] ?? null;
}

type ListPath = `/jobs?${string}` | '/jobs/schedule' | `/jobs/schedule?${string}`;

function isList(path: string): path is ListPath {
  return /^\/jobs(\?|\/schedule)/.test(path);
}

async function cardIn(path: ListPath, jobId: string, cached: Pick<Copies, 'read'>): Promise<Cached | null> {
  let at = 0;
  const read = readCopies(cached, (time) => (at = time));
  const list = await read(path).catch(() => null);
  const overdue = list && 'overdue' in list ? list.overdue.jobs : [];
  const card = [...(list?.jobs ?? []), ...overdue].find(({ id }) => id === jobId);
  return card ? { card, at } : null;
}
