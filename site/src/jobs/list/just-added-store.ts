import { atom } from 'nanostores';

/** The job that was added on this page or right before it; null where there is none. */
const justAdded = atom<string | null>(null);
export const $justAdded = justAdded;

/** Puts a job that was just added at the head of the New list, wherever its place in it is. */
export function showJustAdded(jobId: string): void {
  justAdded.set(jobId);
}
