import type { StoryEntry } from '#core/job/story.ts';
import { request } from '#site/lib/api.ts';
import { type Query, query } from '#site/lib/query.ts';

/** A message about the job that did not arrive: no change of the job, so without a revision. */
type Undelivered = Readonly<{
  what: 'undelivered';
  id: string;
  revision: null;
  at: string;
  from: null;
  to: null;
}>;

/** One thing that happened to a job; `text` is a sentence, with times in the business's zone. */
export type HistoryEntry = (Omit<StoryEntry, 'actor'> | Undelivered) & Readonly<{ text: string }>;

export function historyKey(jobId: string): string {
  return `job-history:${jobId}`;
}

/** What happened to a job, newest first. */
export function jobHistory(jobId: string): Query<readonly HistoryEntry[]> {
  return query(historyKey(jobId), async (signal) => {
    const path = `/jobs/${encodeURIComponent(jobId)}/history`;
    const { history } = await request<{ history: HistoryEntry[] }>('GET', path, { signal });
    return history;
  });
}
