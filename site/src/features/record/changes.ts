import { atom } from 'nanostores';
import type { JobView } from '#core/job/view.ts';
import type { HistoryEntry } from '#site/jobs/history/history-store.ts';
import { pathOf } from '#site/jobs/jobs-api.ts';
import { ApiError } from '#site/lib/http/api.ts';
import { type Query, query, type Read } from '#site/lib/http/query.ts';

type Entry = Exclude<HistoryEntry, Readonly<{ what: 'undelivered' }>>;

/** What one event did to a job, in the order in which it happened. */
export type Change = Readonly<{ revision: number; at: string; entries: readonly [Entry, ...Entry[]] }>;

/** The whole history of a job, oldest first, without what could not be delivered about it. */
export async function loadChanges(jobId: string, read: Read): Promise<Change[]> {
  const path = `${pathOf(jobId)}/history` as const;
  const entries: HistoryEntry[] = [];
  let next: number | null = null;
  do {
    const page: { history: readonly HistoryEntry[]; next: number | null } = await read(
      next === null ? path : `${path}?before=${next}`,
    );
    entries.push(...page.history);
    next = page.next;
  } while (next !== null);
  return changesOf(entries.reverse());
}

/** Entries of one revision are one change. */
export function changesOf(entries: readonly HistoryEntry[]): Change[] {
  const changes: Change[] = [];
  for (const entry of entries) {
    if (entry.what === 'undelivered') continue;
    const last = changes.at(-1);
    if (last?.revision === entry.revision) {
      changes[changes.length - 1] = { ...last, entries: [...last.entries, entry] };
    } else changes.push({ revision: entry.revision, at: entry.at, entries: [entry] });
  }
  return changes;
}

/** A job, and what happened to it until it was so. */
export type JobAndChanges = Readonly<{ job: JobView; changes: readonly Change[] }>;

/** The job as it is, or as it stood after the revision `at`, with its changes up to there; null where there is none. */
export function jobAndChanges(jobId: string, at: number | null): Query<JobAndChanges | null> {
  const load = async (read: Read): Promise<JobAndChanges | null> => {
    try {
      const path = pathOf(jobId);
      const { job } = await read(at === null ? path : `${path}?at=${at}`);
      const changes = await loadChanges(jobId, read);
      return { job, changes: changes.filter(({ revision }) => revision <= job.revision) };
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  };
  return query(`record:${jobId}:${at ?? 'now'}`, (_, read) => load(read));
}

/** The job as it stood after the revision `at`; null where it never stood so. */
export function jobAsItStood(jobId: string, at: number): Query<JobView | null> {
  const load = async (read: Read): Promise<JobView | null> => {
    try {
      return (await read(`${pathOf(jobId)}?at=${at}`)).job;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  };
  return query(`as-it-stood:${jobId}:${at}`, (_, read) => load(read));
}

/** The job that the address names, and the revision after which it is shown; `at` is null for the job as it is. */
export type Address = Readonly<{ jobId: string; at: number | null }>;

const address = atom<Address | null>(null);
export const $address = address;

/** Takes `/jobs/details/{id}/…?at=4` over; what is no revision counts as none. */
export function openAddress({ pathname, search }: Pick<Location, 'pathname' | 'search'>): void {
  const at = new URLSearchParams(search).get('at');
  const isRevision = at !== null && /^\d{1,9}$/.test(at);
  address.set({
    jobId: decodeURIComponent(pathname.split('/')[3] ?? ''),
    at: isRevision ? Number(at) : null,
  });
}

/** Shows the state after a revision, and names it in the address, so that it can be sent. */
export function showState(at: number): void {
  const shown = address.get();
  if (!shown || shown.at === at) return;
  history.replaceState(history.state, '', `${location.pathname}?at=${at}`);
  address.set({ ...shown, at });
}
