import { NotFoundError } from '#core/kernel/errors.ts';
import { type JobEvent, type jobEvents, type Part, parts } from './job.ts';
import type { Evolve } from './part.ts';
import { coverOf, picturesIn } from './photos/files.ts';
import { cardWords } from './request/card-words.ts';
import { isOrigin, type JobOrigin } from './request/events.ts';
import type { ViewSurroundings } from './surroundings.ts';
import { type Intersection, together } from './together.ts';

const views = parts.map(({ view }) => view);
type View = Part['view'];

/**
 * Everything the business knows of a job, contact included. Never leaves the server: `jobView` does. `revision` is that of the last event
 * of the stream that is in here.
 */
export type JobDetails = Intersection<ReturnType<View['begins']>> & Readonly<{ revision: number }>;

/** A row of a list: what a card shows. Contact as in `JobView`. */
export type JobCardView = Readonly<{ id: string; revision: number }> & Intersection<ReturnType<View['card']>>;

/**
 * A job as the tradie may see it: while it is Pending or Rejected, or the customer's details are about to be removed, `email`
 * and `phone` are absent, and phone numbers and addresses inside the customer's texts are hidden.
 */
export type JobView = JobCardView & Intersection<ReturnType<View['page']>>;

const evolve: Evolve<typeof jobEvents, JobDetails> = together(views, 'evolve');

/** What nothing may show of a job any more whose customer was erased. */
export const erasedCustomer = together(views, 'erased') satisfies Partial<JobDetails>;

/**
 * The details after one more event; null before the event with which the job came. The one fold of what is shown of a job:
 * read models and answers use it. An event that does not fit changes nothing but the revision.
 */
export function evolveJobDetails(details: JobDetails | null, event: JobEvent): JobDetails | null {
  if (details === null) return isOrigin(event) ? arrived(event) : null;
  const revision = details.revision + 1;
  const changedBy: (data: never, details: JobDetails, revision: number) => Partial<JobDetails> =
    evolve[event.type];
  const after = { ...details, ...changedBy(event.data as never, details, revision), revision };
  return after.erasedAt === null ? after : { ...after, ...erasedCustomer };
}

function arrived(origin: JobOrigin): JobDetails {
  return Object.assign({ revision: 0 }, ...views.map(({ begins }) => begins(origin)));
}

/** The details of a folded stream. Throws `NotFoundError` when there is no job in it. */
export function existingJob(details: JobDetails | null): JobDetails {
  if (details === null) throw new NotFoundError('Job not found');
  return details;
}

/** What the cards of all parts take. */
type Taken = [View['card']] extends [(details: infer Details, ...rest: never[]) => unknown] ? Details : never;
type CardDetails = Taken & Pick<JobDetails, 'id' | 'revision'>;

/** What a card may show; without `thumbnailUrl` no picture. Every answer that holds a job goes through here or `jobView`. */
export function jobCardView(
  details: CardDetails,
  thumbnailUrl?: ViewSurroundings['thumbnailUrl'],
): JobCardView {
  const { id, revision } = details;
  return Object.assign({ id, revision }, ...views.map(({ card }) => card(details, thumbnailUrl)));
}

/** The whole job as its tradie may see it. */
export function jobView(details: JobDetails, surroundings: ViewSurroundings): JobView {
  const { media } = details;
  const card = { ...details, ...cardWords(details), pictures: picturesIn(media), cover: coverOf(media) };
  const shown = jobCardView(card, surroundings.thumbnailUrl);
  return Object.assign(shown, ...views.map(({ page }) => page(details, surroundings)));
}
