import type { Deps } from '#api/deps.ts';
import { mediaUrl, thumbnailUrl } from '#api/jobs/media-link.ts';
import { typedEvents } from '#core/event-store/codec.ts';
import type { RecordedEvent } from '#core/event-store/port.ts';
import { jobViewAsItStood } from '#core/job/as-it-stood.ts';
import { isJobEvent, type JobEvent } from '#core/job/job.ts';
import type { ViewSurroundings } from '#core/job/surroundings.ts';
import { evolveJobDetails, type JobDetails, type JobView, jobView } from '#core/job/view.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';

export type LoadedJob = Readonly<{ details: JobDetails; events: readonly RecordedEvent<JobEvent>[] }>;

/** A job of a business from its own stream: never behind. Throws NotFoundError, also for another business's job. */
export async function loadJob(
  { store }: Pick<Deps, 'store'>,
  businessId: string,
  jobId: string,
): Promise<LoadedJob> {
  const events = typedEvents(isJobEvent, await store.readStream(streamName('job', jobId)));
  const details = foldReadable(events);
  if (details === null || details.businessId !== businessId) throw new NotFoundError('Job not found');
  return { details, events };
}

/** The job after what can be read of its events; null when its first one cannot. */
export function foldReadable(events: readonly RecordedEvent<JobEvent>[]): JobDetails | null {
  const state = events.reduce<JobDetails | null>(
    (job, { event }) => (event ? evolveJobDetails(job, event) : job),
    null,
  );
  return state && { ...state, revision: events.at(-1)?.revision ?? state.revision };
}

/** A job as it is answered; its files by links that run out, a work order with whom to ring about it. */
export function viewOf(deps: Pick<Deps, 'config' | 'now'>, details: JobDetails): JobView {
  return jobView(details, surroundingsOf(deps));
}

/** A job as it stood after the event with this revision. Throws NotFoundError where it has no such event. */
export function viewAsItStood(
  deps: Pick<Deps, 'config' | 'now'>,
  { details, events }: LoadedJob,
  revision: number,
): JobView {
  const then = foldReadable(events.filter((event) => event.revision <= revision));
  if (then === null || then.revision !== revision) throw new NotFoundError('Job not found');
  return jobViewAsItStood(then, details, surroundingsOf(deps));
}

function surroundingsOf(deps: Pick<Deps, 'config' | 'now'>): ViewSurroundings {
  return { ...linksOf(deps), contact: deps.config.product.contact };
}

/** What mints the links to the files of jobs. */
export function linksOf({ config, now }: Pick<Deps, 'config' | 'now'>): Omit<ViewSurroundings, 'contact'> {
  const at = now();
  return {
    mediaUrl: ({ id }) => mediaUrl(config, id, at),
    thumbnailUrl: ({ id }) => thumbnailUrl(config, id, at),
  };
}

const JOB_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A malformed id is the id of no job. Throws NotFoundError, as for another business's job. */
export function jobIdFrom(text: string): string {
  if (!JOB_ID.test(text)) throw new NotFoundError('Job not found');
  return text;
}
