import { useStore } from '@nanostores/react';
import { atom, map } from 'nanostores';
import type { ComponentType } from 'react';
import type { JobCardView } from '#core/job/view.ts';
import type { Answer } from '#site/jobs/jobs-api.ts';

/** What waits of a job until there is a signal, and what shows it: a page without waiting changes loads nothing of that. */
export type Waiting = Readonly<{
  /** What the changes that wait will make of the job. An answer makes nothing of it before the server has it. */
  job: Partial<Pick<JobCardView, 'status' | 'scheduledAt'>>;
  answer?: Answer;
  notes?: string;
  /** `Accepted, waiting to send`; `withWhen` names a new time too. */
  Sign: ComponentType<Readonly<{ jobId: string; withWhen?: boolean | undefined }>>;
  /** In place of the answers: Undo and, where there is one, the way to the job. */
  Undo: ComponentType<Readonly<{ jobId: string; path?: string | undefined }>>;
}>;

const waiting = map<Record<string, Waiting | undefined>>({});

/** What waits, by job id. */
export const $waiting = waiting;

/** What waits of a job. */
export function useWaiting(jobId: string): Waiting | undefined {
  return useStore(waiting, { keys: [jobId], ssr: 'initial' })[jobId];
}

/** From when the jobs on the page are, in ms since the epoch. */
export const $asOf = atom<number | undefined>();
