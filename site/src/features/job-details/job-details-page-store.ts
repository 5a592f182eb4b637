import { atom } from 'nanostores';

/** The job that the address names; null until the page has read it. */
const jobId = atom<string | null>(null);
export const $jobId = jobId;

/** Takes the id over from a path such as `/jobs/details/{id}`. */
export function openJob(pathname: string): void {
  jobId.set(decodeURIComponent(pathname.split('/')[3] ?? ''));
}
