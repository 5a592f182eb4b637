import type { Media } from '#core/job/request/events.ts';
import { isPictureType } from '#core/values/uploads.ts';
import type { WorkPhoto } from './events.ts';

/** A file of a job: the customer's came with the job; one with `work` is the tradie's. */
export type JobFile = Media & Readonly<{ work?: Pick<WorkPhoto, 'stage' | 'caption' | 'addedAt'> }>;

/** How many of a job's files are pictures. */
export function picturesIn(files: readonly JobFile[]): number {
  return files.filter(({ mime }) => isPictureType(mime)).length;
}

/** The id of the picture that stands for a job: the first of its files that is one; null without any. */
export function coverOf(files: readonly JobFile[]): string | null {
  return files.find(({ mime }) => isPictureType(mime))?.id ?? null;
}
