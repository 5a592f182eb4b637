import { NotFoundError } from '#core/kernel/errors.ts';
import { withoutContact } from '#core/values/contact-in-text.ts';
import type { HeldFor } from '#core/values/held-job.ts';
import type { Answer, ConsumerField, JobLocation, Media } from './events.ts';
import type { JobState } from './state.ts';
import { hidesContact, type JobStatus } from './statuses.ts';

export type JobType = 'Consumer' | 'WorkOrder';

/** How the product that sends work orders is reached. */
export type ProductContact = Readonly<{ phone: string; email: string }>;

/** What a view takes from outside of the job: `mediaUrl` mints the link to a file. */
export type ViewSurroundings = Readonly<{
  mediaUrl: (media: Media) => string;
  contact: ProductContact | null;
}>;

/** Everything the business knows of a job, contact included. Never leaves the server: `jobView` does. */
export type JobFacts = Readonly<{
  id: string;
  businessId: string;
  type: JobType;
  status: JobStatus;
  title: string;
  isUrgent: boolean;
  scheduledAt: string | null;
  createdAt: string;
  name: string;
  email: string;
  phone: string;
  notes: string;
  description: string;
  wishedTime: string;
  location: JobLocation;
  answers: readonly Answer[];
  media: readonly Media[];
  /** When the tradie first looked at the job while it waited, or answered it unseen; an undo takes neither back. */
  openedAt: string | null;
  /** When the customer said that it need not be done any more. */
  noLongerNeededAt: string | null;
  /** Why nobody was alerted to the request; null once it was answered, and for what was never held. */
  heldFor: HeldFor | null;
  /** Revision of the last event of the stream that is in here. */
  revision: number;
}>;

/**
 * A job as the tradie may see it: while it is Pending or Rejected, `email` and `phone` are absent, and phone numbers and
 * addresses inside the customer's texts are hidden.
 */
export type JobView = Readonly<{
  id: string;
  type: JobType;
  status: JobStatus;
  title: string;
  isUrgent: boolean;
  scheduledAt: string | null;
  createdAt: string;
  /** When the customer said that it need not be done any more; null while it is needed. */
  noLongerNeededAt: string | null;
  /** Why nobody was alerted to a request that still waits for an answer. */
  heldFor: HeldFor | null;
  name: string;
  email?: string;
  phone?: string;
  notes: string;
  location: JobLocation;
  media: readonly { url: string; name: string; mime: string }[];
  form: readonly Answer[];
  consumerJobDetails:
    | (Partial<Record<ConsumerField, string>> & { description: string; wishedTime: string })
    | null;
  /** `contact`: whom the tradie rings about it; null where nobody is configured. */
  workOrderDetails: { description: string; contact: ProductContact | null } | null;
  revision: number;
}>;

/** A row of a list: what a card shows. Contact as in `JobView`. */
export type JobCardView = Readonly<
  Pick<
    JobView,
    | 'id'
    | 'type'
    | 'status'
    | 'title'
    | 'isUrgent'
    | 'scheduledAt'
    | 'createdAt'
    | 'noLongerNeededAt'
    | 'heldFor'
    | 'name'
    | 'email'
    | 'phone'
    | 'revision'
  > & { location: JobLocation }
>;

/** The facts of a folded stream. Throws `NotFoundError` when there is no job in it. */
export function jobFacts(state: JobState): JobFacts {
  if (state === null) throw new NotFoundError('Job not found');
  return state;
}

/** A text of the customer's as the tradie may read it in a job of this status. */
export function shownText(status: JobStatus, text: string, instead?: string): string {
  return hidesContact(status) ? withoutContact(text, instead) : text;
}

/** What a card may show. Every answer that holds a job goes through here or `jobView`. */
export function jobCardView(facts: JobFacts): JobCardView {
  const { id, type, status, isUrgent, scheduledAt, createdAt, noLongerNeededAt, heldFor, revision } = facts;
  const [title, name] = [shownText(status, facts.title), shownText(status, facts.name)];
  const location = { ...facts.location, address: shownText(status, facts.location.address) };
  const when = { scheduledAt, createdAt, noLongerNeededAt };
  const shown = { id, type, status, title, isUrgent, ...when, heldFor, name, location, revision };
  return hidesContact(status) ? shown : { ...shown, email: facts.email, phone: facts.phone };
}

/** The whole job as its tradie may see it. */
export function jobView(facts: JobFacts, { mediaUrl, contact }: ViewSurroundings): JobView {
  const { notes, type, status } = facts;
  const description = shownText(status, facts.description);
  const wishedTime = shownText(status, facts.wishedTime);
  const answers = facts.answers.map((one) => ({ ...one, answer: shownText(status, one.answer) }));
  const shown = { answers, description, wishedTime };
  return {
    ...jobCardView(facts),
    notes,
    media: facts.media.map((media) => {
      return { url: mediaUrl(media), name: shownText(status, media.name), mime: media.mime };
    }),
    form: answers,
    consumerJobDetails: type === 'Consumer' ? consumerDetails(shown) : null,
    workOrderDetails: type === 'WorkOrder' ? { description, contact } : null,
  };
}

function consumerDetails(shown: Pick<JobFacts, 'answers' | 'description' | 'wishedTime'>) {
  const { answers, description, wishedTime } = shown;
  const filled = answers.flatMap(({ field, answer }) => (field === null ? [] : [[field, answer] as const]));
  const details: Partial<Record<ConsumerField, string>> = Object.fromEntries(filled);
  return { ...details, description, wishedTime };
}
