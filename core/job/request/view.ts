import { type Evolve, type History, noEntry, plainEntry, unchanged } from '#core/job/part.ts';
import { picturesIn } from '#core/job/photos/files.ts';
import { type HeldFor, hidesContact, type JobType } from '#core/job/status/statuses.ts';
import type { ProductContact, ViewSurroundings } from '#core/job/surroundings.ts';
import { presented, shownText, type Withholding, withholdsContact } from '#core/job/withheld-fields.ts';
import type { ConsumerField, WayToReach } from '#core/values/job-form.ts';
import { ERASED } from '#core/values/stored-details.ts';
import type { CardWords } from './card-words.ts';
import { type Answer, type JobLocation, type JobOrigin, type requestEvents, typeOf } from './events.ts';
import type { RequestEntries } from './words.ts';

export type RequestDetails = Readonly<{
  id: string;
  businessId: string;
  type: JobType;
  title: string;
  isUrgent: boolean;
  createdAt: string;
  name: string;
  email: string;
  phone: string;
  description: string;
  wishedTime: string;
  /** How the customer likes to be reached best; empty when not said. */
  reachBy: WayToReach | '';
  /** How many files the customer had chosen that could not go up. */
  unsentFiles: number;
  location: JobLocation;
  answers: readonly Answer[];
  /** Why no alert went out for the request; null once it was answered, and for what was never held. */
  heldFor: HeldFor | null;
}>;

/** What a card shows of how the job came. */
export type RequestCard = Readonly<{
  type: JobType;
  title: string;
  isUrgent: boolean;
  createdAt: string;
  /** Why no alert went out for a request that still waits for an answer. */
  heldFor: HeldFor | null;
  name: string;
  email?: string;
  phone?: string;
  location: JobLocation;
  /** Of a request that is not accepted, as much as a card shows: what the customer wrote; absent where that is nothing. */
  words?: string;
  /** Of the same, when it suits the customer. */
  preferredTime?: string;
}>;

/** What the page of a job shows besides. */
export type RequestPage = Readonly<{
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
}>;

type CardDetails = Pick<RequestDetails, Exclude<keyof RequestCard, keyof CardWords>> &
  CardWords &
  Withholding;

export const requestView = {
  begins(origin: JobOrigin): RequestDetails {
    const { jobId, businessId, name, email, phone, title, location } = origin.data;
    return {
      ...{ id: jobId, businessId, type: typeOf(origin), name, email, phone, title, location },
      ...{ isUrgent: false, description: '', wishedTime: '', reachBy: '', unsentFiles: 0 },
      ...{ answers: [], heldFor: null },
      ...enteredWith(origin),
    };
  },
  evolve: {
    JobRequested: unchanged,
    WorkOrderReceived: unchanged,
    JobAdded: unchanged,
    JobHeld: ({ heldFor }) => ({ heldFor }),
  } satisfies Evolve<typeof requestEvents, RequestDetails>,
  erased: {
    ...{ name: ERASED, email: ERASED, phone: ERASED, title: ERASED },
    ...{ description: ERASED, wishedTime: ERASED, reachBy: '', unsentFiles: 0, answers: [] },
    location: { address: ERASED, placeId: null, lat: null, lng: null },
  } as const satisfies Partial<RequestDetails>,

  /** Without email and phone while they are withheld, and with contact hidden in the customer's texts. */
  card(details: CardDetails): RequestCard {
    const { type, status, isUrgent, createdAt, heldFor, words: said, preferredTime } = details;
    const words = presented(details);
    const location = { ...words.location, address: shownText(details, words.location.address) };
    const asked = hidesContact(status) && {
      ...(said && { words: said }),
      ...(preferredTime && { preferredTime }),
    };
    return {
      ...{ type, isUrgent, createdAt, heldFor, location },
      ...{ title: shownText(details, words.title), name: shownText(details, words.name) },
      ...asked,
      ...(withholdsContact(details) ? {} : { email: details.email, phone: details.phone }),
    };
  },

  page(details: RequestDetails & Withholding, { contact }: ViewSurroundings): RequestPage {
    const { type, erasedAt, reachBy, unsentFiles } = details;
    const written = (text: string) => shownText(details, erasedAt === null ? text : '');
    const description = written(details.description);
    const wishedTime = written(details.wishedTime);
    const form = details.answers.map((one) => ({ ...one, answer: shownText(details, one.answer) }));
    const shown = { answers: form, description, wishedTime, reachBy, unsentFiles };
    return {
      form,
      consumerJobDetails: type === 'Consumer' ? consumerDetails(shown) : null,
      workOrderDetails: type === 'WorkOrder' ? { description, contact } : null,
    };
  },
};

/** What only one kind of origin says of the job. */
function enteredWith(origin: JobOrigin) {
  switch (origin.type) {
    case 'JobRequested': {
      const { description, isUrgent, wishedTime, reachBy, answers } = origin.data;
      const { unsentFiles, requestedAt: createdAt } = origin.data;
      return { description, isUrgent, wishedTime, reachBy, answers, unsentFiles, createdAt };
    }
    case 'WorkOrderReceived': {
      const { description, isUrgent, receivedAt } = origin.data;
      return { description, isUrgent, createdAt: receivedAt };
    }
    case 'JobAdded':
      return { createdAt: origin.data.addedAt };
  }
}

type Asked = Pick<RequestDetails, 'answers' | 'description' | 'wishedTime' | 'reachBy' | 'unsentFiles'>;

function consumerDetails({ answers, description, wishedTime, reachBy, unsentFiles }: Asked) {
  const filled = answers.flatMap(({ field, answer }) => (field === null ? [] : [[field, answer] as const]));
  const details: Partial<Record<ConsumerField, string>> = Object.fromEntries(filled);
  return {
    ...{ ...details, description, wishedTime },
    ...(reachBy && { reachBy }),
    ...(unsentFiles > 0 && { unsentFiles }),
  };
}

/** How a job comes is an entry; that a request is held shows in the job itself. */
export const requestEntries = {
  JobRequested({ media }) {
    const photos = picturesIn(media);
    return [{ what: 'requested', from: null, to: null, ...(photos > 0 ? { photos } : {}) }];
  },
  WorkOrderReceived: plainEntry('ordered'),
  JobAdded: plainEntry('added'),
  JobHeld: noEntry,
} satisfies History<typeof requestEvents, object, RequestEntries>;
