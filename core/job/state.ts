import type { JobEvent } from './events.ts';
import { evolveJobDetails, type JobDetails } from './view.ts';

/** A job after its history; null before its first event. */
export type JobState = JobDetails | null;

export const initialJobState: JobState = null;

/** The job after one more event. */
export function evolveJob(state: JobState, event: JobEvent): JobState {
  return evolveJobDetails(state, event);
}
