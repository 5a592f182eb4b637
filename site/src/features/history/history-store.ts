import type { StoryEntry } from '#core/job/story.ts';
import { type Query, query } from '#site/lib/query.ts';
import type { Read } from '#site/lib/reader.ts';

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
  const path = `/jobs/${encodeURIComponent(jobId)}/history`;
  const load = async (read: Read) => (await read<{ history: HistoryEntry[] }>(path)).history;
  return query(historyKey(jobId), (_, read) => load(read), { readsOffline: true });
}
