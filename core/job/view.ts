import { NotFoundError } from '#core/kernel/errors.ts';
import type { ConsumerField, WayToReach } from '#core/values/job-form.ts';
import { ERASED } from '#core/values/stored-details.ts';
import { isPictureType } from '#core/values/uploads.ts';
import type { JobEvent } from './job.ts';
import { coverOf, filesAfter, type JobFile, picturesIn, type WorkPhotoView } from './photos/view.ts';
import { type CardWords, cardWords } from './request/card-words.ts';
import {
  type Answer,
  isOrigin,
  type JobLocation,
  type JobOrigin,
  type Media,
  typeOf,
} from './request/events.ts';
import { type HeldFor, hidesContact, type JobStatus, type JobType } from './status/statuses.ts';
import type { PartValues } from './undo/changes.ts';
import { presented, shownText, withholdsContact } from './withheld-fields.ts';

/** How the product that sends work orders is reached. */
export type ProductContact = Readonly<{ phone: string; email: string }>;

/** What a view takes from outside of the job: `mediaUrl` mints the link to a file, `thumbnailUrl` the one to its small picture. */
export type ViewSurroundings = Readonly<{
  mediaUrl: (media: Media) => string;
  thumbnailUrl: (media: Pick<Media, 'id'>) => string;
  contact: ProductContact | null;
}>;

/** Everything the business knows of a job, contact included. Never leaves the server: `jobView` does. */
export type JobDetails = Readonly<{
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
  /** How the customer likes to be reached best; empty when not said. */
  reachBy: WayToReach | '';
  /** How many files the customer had chosen that could not go up. */
  unsentFiles: number;
  location: JobLocation;
  answers: readonly Answer[];
  /** The customer's files, and then the photos of the work. */
  media: readonly JobFile[];
  /** When the tradie first looked at the job while it waited, or answered it unseen; an undo takes neither back. */
  openedAt: string | null;
  /** When the customer said that it need not be done any more. */
  noLongerNeededAt: string | null;
  /** Why no alert went out for the request; null once it was answered, and for what was never held. */
  heldFor: HeldFor | null;
  /** When the customer's details are to be removed; null where that is not planned, and once they are. */
  erasureDueAt: string | null;
  /** When the customer asked for their removal, while that is not refused or taken back; null once they are removed. */
  removalAskedAt: string | null;
  /** Until when the business keeps them although the customer asked for their removal: they go by themselves then. */
  keptUntil: string | null;
  /** When they were removed. Every text is `ERASED` then. */
  erasedAt: string | null;
  /** Revision of the last event of the stream that is in here. */
  revision: number;
}>;

/**
 * A job as the tradie may see it: while it is Pending or Rejected, or the customer's details are about to be removed, `email`
 * and `phone` are absent, and phone numbers and addresses inside the customer's texts are hidden.
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
  /** Why no alert went out for a request that still waits for an answer. */
  heldFor: HeldFor | null;
  /** When the customer's details are to be removed; absent where that is not planned, and once they are. */
  erasureDueAt?: string;
  /** When the customer asked for their removal; absent where they did not, and once it is refused or done. */
  removalAskedAt?: string;
  /** When they were removed; absent while they are there. */
  erasedAt?: string;
  name: string;
  email?: string;
  phone?: string;
  notes: string;
  location: JobLocation;
  /** `thumb`: a small picture of it, at most 25 kB; null for what is no picture. */
  media: readonly { url: string; thumb: string | null; name: string; mime: string }[];
  /** How many pictures it has, of the customer's and of the work. */
  pictures: number;
  /** The small picture of the first of them; absent without one. */
  thumb?: string;
  /** Of a request that is not accepted, as much as a card shows: what the customer wrote; absent where that is nothing. */
  words?: string;
  /** Of the same, when it suits the customer. */
  preferredTime?: string;
  /** The tradie's of the work, in the order in which they were added. */
  photos: readonly WorkPhotoView[];
  form: readonly Answer[];
  consumerJobDetails:
    | (Partial<Record<ConsumerField, string>> & {
        description: string;
        wishedTime: string;
        reachBy?: WayToReach;
        unsentFiles?: number;
      })
    | null;
  /** `contact`: whom the tradie rings about it; null where no contact is configured. */
  workOrderDetails: { description: string; contact: ProductContact | null } | null;
  revision: number;
}>;

/** A row of a list: what a card shows. Contact as in `JobView`. */
export type JobCardView = Omit<
  JobView,
  'notes' | 'media' | 'photos' | 'form' | 'consumerJobDetails' | 'workOrderDetails'
>;

/**
 * The details after one more event; null before the event with which the job came. The one fold of what is shown of a job:
 * read models and answers use it. An event that does not fit changes nothing but the revision.
 */
export function evolveJobDetails(details: JobDetails | null, event: JobEvent): JobDetails | null {
  if (details === null) return isOrigin(event) ? arrived(event) : null;
  const changed = { ...changedValues(event), ...changedBeside(details, event) };
  const after = { ...details, ...changed, revision: details.revision + 1 };
  return after.erasedAt === null ? after : { ...after, ...erasedCustomer };
}

/** The details of a folded stream. Throws `NotFoundError` when there is no job in it. */
export function existingJob(details: JobDetails | null): JobDetails {
  if (details === null) throw new NotFoundError('Job not found');
  return details;
}

/** What nothing may show of a job any more whose customer was erased. */
export const erasedCustomer = {
  ...{ name: ERASED, email: ERASED, phone: ERASED, title: ERASED, notes: ERASED },
  ...{ description: ERASED, wishedTime: ERASED, reachBy: '', answers: [], media: [] },
  ...{ unsentFiles: 0, erasureDueAt: null, removalAskedAt: null, keptUntil: null },
  location: { address: ERASED, placeId: null, lat: null, lng: null },
} as const satisfies Partial<JobDetails>;

type CardDetails = Pick<JobDetails, Exclude<keyof JobCardView, 'pictures' | 'thumb' | keyof CardWords>> &
  Pick<JobCardView, 'pictures'> &
  CardWords &
  Readonly<{ cover: string | null }>;

/** What a card may show; without `thumbnailUrl` no picture. Every answer that holds a job goes through here or `jobView`. */
export function jobCardView(
  details: CardDetails,
  thumbnailUrl?: ViewSurroundings['thumbnailUrl'],
): JobCardView {
  const { id, type, status, isUrgent, heldFor, erasureDueAt, erasedAt, pictures, revision } = details;
  const { scheduledAt, createdAt, noLongerNeededAt, removalAskedAt } = details;
  const words = presented(details);
  const location = { ...words.location, address: shownText(details, words.location.address) };
  const texts = { title: shownText(details, words.title), name: shownText(details, words.name), location };
  const when = { scheduledAt, createdAt, noLongerNeededAt, heldFor };
  const erasure = {
    ...(erasureDueAt && { erasureDueAt }),
    ...(removalAskedAt && { removalAskedAt }),
    ...(erasedAt && { erasedAt }),
  };
  const { cover, words: said, preferredTime } = details;
  const thumb = thumbnailUrl && cover !== null && { thumb: thumbnailUrl({ id: cover }) };
  const asked = hidesContact(status) && {
    ...(said && { words: said }),
    ...(preferredTime && { preferredTime }),
  };
  const about = { ...texts, ...when, ...erasure, pictures, ...thumb, ...asked };
  const shown = { id, type, status, isUrgent, ...about, revision };
  return withholdsContact(details) ? shown : { ...shown, email: details.email, phone: details.phone };
}

/** The whole job as its tradie may see it. */
export function jobView(details: JobDetails, { mediaUrl, thumbnailUrl, contact }: ViewSurroundings): JobView {
  const { type, erasedAt } = details;
  const written = (text: string) => (erasedAt === null ? text : '');
  const notes = written(details.notes);
  const description = shownText(details, written(details.description));
  const wishedTime = shownText(details, written(details.wishedTime));
  const answers = details.answers.map((one) => ({ ...one, answer: shownText(details, one.answer) }));
  const { reachBy, unsentFiles, media: files } = details;
  const card = { ...details, ...cardWords(details), pictures: picturesIn(files), cover: coverOf(files) };
  const shown = { answers, description, wishedTime, reachBy, unsentFiles };
  return {
    ...jobCardView(card, thumbnailUrl),
    notes,
    media: files.flatMap((media) => {
      if (media.work) return [];
      const thumb = isPictureType(media.mime) ? thumbnailUrl(media) : null;
      return [{ url: mediaUrl(media), thumb, name: shownText(details, media.name), mime: media.mime }];
    }),
    photos: files.flatMap((media) => {
      const { id, work } = media;
      return work ? [{ id, url: mediaUrl(media), thumb: thumbnailUrl(media), ...work }] : [];
    }),
    form: answers,
    consumerJobDetails: type === 'Consumer' ? consumerDetails(shown) : null,
    workOrderDetails: type === 'WorkOrder' ? { description, contact } : null,
  };
}

type Asked = Pick<JobDetails, 'answers' | 'description' | 'wishedTime' | 'reachBy' | 'unsentFiles'>;

function consumerDetails({ answers, description, wishedTime, reachBy, unsentFiles }: Asked) {
  const filled = answers.flatMap(({ field, answer }) => (field === null ? [] : [[field, answer] as const]));
  const details: Partial<Record<ConsumerField, string>> = Object.fromEntries(filled);
  return {
    ...{ ...details, description, wishedTime },
    ...(reachBy && { reachBy }),
    ...(unsentFiles > 0 && { unsentFiles }),
  };
}

function arrived(event: JobOrigin): JobDetails {
  const { jobId, businessId, name, email, phone, title, location } = event.data;
  return {
    id: jobId,
    businessId,
    type: typeOf(event),
    name,
    email,
    phone,
    title,
    location,
    ...{ isUrgent: false, description: '', wishedTime: '', reachBy: '', unsentFiles: 0 },
    ...{ answers: [], media: [] },
    openedAt: null,
    noLongerNeededAt: null,
    heldFor: null,
    erasureDueAt: null,
    removalAskedAt: null,
    keptUntil: null,
    erasedAt: null,
    revision: 0,
    ...firstValues(event),
    ...enteredWith(event),
  };
}

/** What only one kind of origin says of the job. */
function enteredWith(event: JobOrigin) {
  switch (event.type) {
    case 'JobRequested': {
      const { description, isUrgent, wishedTime, reachBy, answers, media } = event.data;
      const { unsentFiles, requestedAt: createdAt } = event.data;
      return { description, isUrgent, wishedTime, reachBy, answers, media, unsentFiles, createdAt };
    }
    case 'WorkOrderReceived': {
      const { description, isUrgent, receivedAt } = event.data;
      return { description, isUrgent, createdAt: receivedAt };
    }
    case 'JobAdded':
      return { createdAt: event.data.addedAt };
  }
}

/** What an event changes beside the values of the job's parts. */
function changedBeside({ openedAt, media }: JobDetails, event: JobEvent): Partial<JobDetails> {
  switch (event.type) {
    case 'JobAccepted':
      return { openedAt: openedAt ?? event.data.acceptedAt, heldFor: null };
    case 'JobRejected':
      return { openedAt: openedAt ?? event.data.rejectedAt, heldFor: null };
    case 'JobOpened':
      return { openedAt: event.data.openedAt };
    case 'JobNoLongerNeeded':
      return { noLongerNeededAt: event.data.saidAt };
    case 'JobPhotoAdded':
    case 'JobPhotoDescribed':
    case 'JobPhotoRemoved':
      return { media: filesAfter(media, event) };
    case 'JobHeld':
      return { heldFor: event.data.heldFor };
    case 'CustomerErasurePlanned':
      return { erasureDueAt: event.data.dueAt };
    case 'CustomerErasureCancelled':
      return { erasureDueAt: null, removalAskedAt: null };
    case 'CustomerDetailsCorrected': {
      const { name, email, phone, location } = event.data;
      return { name, email, phone, location };
    }
    case 'CustomerRemovalAsked':
      return { removalAskedAt: event.data.askedAt, keptUntil: null };
    case 'CustomerRemovalRefused':
      return { removalAskedAt: null, keptUntil: event.data.until };
    case 'JobCustomerErased':
      return { erasedAt: event.data.erasedAt };
    default:
      return {};
  }
}

/** The values with which a job begins. */
function firstValues(event: JobOrigin): PartValues {
  switch (event.type) {
    case 'JobRequested':
      return { status: 'Pending', scheduledAt: null, notes: '' };
    case 'WorkOrderReceived':
      return { status: 'Pending', scheduledAt: event.data.scheduledAt, notes: '' };
    case 'JobAdded':
      return { status: 'To quote', scheduledAt: event.data.scheduledAt, notes: event.data.notes };
  }
}

/** The values that an event sets in a job that is there already. */
function changedValues(event: JobEvent): Partial<PartValues> {
  switch (event.type) {
    case 'JobAccepted':
      return { status: 'To quote' };
    case 'JobRejected':
      return { status: 'Rejected' };
    case 'JobStatusChanged':
    case 'JobStatusRestored':
      return { status: event.data.status };
    case 'JobMarkedUnsuccessful':
      return { status: 'Unsuccessful', scheduledAt: null };
    case 'JobScheduled':
    case 'JobScheduleRestored':
      return { scheduledAt: event.data.scheduledAt };
    case 'JobNotesChanged':
    case 'JobNotesRestored':
      return { notes: event.data.notes };
    default:
      return {};
  }
}
