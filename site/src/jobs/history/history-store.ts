import { historyKey } from '#site/jobs/job-stores.ts';
import type { AnswerOf } from '#site/lib/http/api.ts';
import { type Queries, type Query, query, type Read } from '#site/lib/http/query.ts';

/** One thing that happened to a job, or a message about it that did not arrive; `text` is a sentence, with times in the business's zone. */
export type HistoryEntry = Page['history'][number];

type Page = AnswerOf<'GET', `/jobs/${string}/history`>;

/** The newest entries; `next` is where earlier ones go on, null where there are none. */
export type History = Readonly<{ entries: readonly HistoryEntry[]; next: number | null; pages: number }>;

/** Histories as queries of the API. */
export function createHistories({ query }: Pick<Queries, 'query'>) {
  /** How many pages of a job's history are shown, by its id. */
  const shown = new Map<string, number>();

  /** What happened to a job, newest first: as many pages as were asked for. */
  function jobHistory(jobId: string): Query<History> {
    const path = `/jobs/${encodeURIComponent(jobId)}/history` as const;
    const load = async (read: Read): Promise<History> => {
      const entries: HistoryEntry[] = [];
      let [next, pages]: [number | null, number] = [null, 0];
      do {
        const page: Page = await read(next === null ? path : `${path}?before=${next}`);
        entries.push(...page.history);
        // A copy for reading without a network may be of a release that answered whole histories.
        [next, pages] = [page.next ?? null, pages + 1];
      } while (next !== null && pages < (shown.get(jobId) ?? 1));
      return { entries, next, pages };
    };
    return query(historyKey(jobId), (_, read) => load(read), { readsOffline: true });
  }

  /** Loads one page more than is shown. Never rejects: the query's state is whether it failed. */
  function showEarlier(jobId: string): Promise<void> {
    const history = jobHistory(jobId);
    shown.set(jobId, (history.$state.get().data?.pages ?? 0) + 1);
    return history.refresh();
  }

  return { jobHistory, showEarlier };
}

export const { jobHistory, showEarlier } = createHistories({ query });
