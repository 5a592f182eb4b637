import { type } from 'arktype';
import {
  type DeclaredEvent,
  type EventOf,
  event,
  eventGuard,
  type Frozen,
  id,
  instant,
} from '#core/kernel/event.ts';
import { consumerFields } from '#core/values/job-form.ts';
import {
  correctionAnswers,
  ERASED,
  keepReasons,
  recordAudiences,
  recordMakers,
} from '#core/values/stored-details.ts';
import { rejectionReasons } from './answer/rejection-reasons.ts';
import { messageKinds } from './customer/customer-messages.ts';
import { photoStages } from './photos/photo-stages.ts';
import { heldReasons, jobStatuses, workingStatuses } from './status/statuses.ts';

/** What two people can change of a job without being in each other's way. */
export const jobParts = ['status', 'schedule', 'notes'] as const;
export type JobPart = (typeof jobParts)[number];

const location = type({
  address: 'string',
  placeId: 'string | null',
  lat: 'number | null',
  lng: 'number | null',
});

/** Where the work is. `lat`, `lng` in degrees (WGS 84), null when only the text is known. */
export type JobLocation = Frozen<typeof location.infer>;

const answer = type({
  questionId: 'string',
  question: 'string',
  field: type.enumerated(...consumerFields).or('null'),
  answer: 'string',
});

/** One answer, with the question's text as it was asked: a later edit of the question does not change the past. */
export type Answer = Frozen<typeof answer.infer>;

const media = type({ id: 'string', name: 'string', mime: 'string', bytes: 'number' });

/** A file that the customer added. The id is the key in the file store; links are minted when a job is answered. */
export type Media = Frozen<typeof media.infer>;

const ofJob = { jobId: id, businessId: id } as const;
const contact = { name: 'string', email: 'string', phone: 'string' } as const;
/** A change was taken back; `undone` is the revision of that change's last event. */
const undo = { undone: 'number.integer >= 0', restoredAt: instant } as const;

const described = { photoId: id, stage: type.enumerated(...photoStages), caption: 'string' } as const;

const customer = (data: { jobId: string }) => `customer-${data.jobId}`;
const ofNotes = { personal: { subject: customer, erased: { notes: ERASED } } } as const;
const ofReason = { personal: { subject: customer, erased: { reason: ERASED } } } as const;
const ofCaption = { personal: { subject: customer, erased: { caption: ERASED } } } as const;
const erasedLocation = { address: ERASED, placeId: null, lat: null, lng: null } as const;
const erasedContact = { name: ERASED, email: ERASED, phone: ERASED, location: erasedLocation } as const;
const erasedCustomer = { ...erasedContact, title: ERASED } as const;

/** A job's events, and the parts of it that each `changes`. What a customer or the tradie wrote belongs to the customer. */
export const jobEvents = {
  /** A customer sent the business's public form. */
  JobRequested: {
    ...event(
      {
        ...ofJob,
        ...contact,
        title: 'string',
        description: 'string',
        isUrgent: 'boolean',
        wishedTime: 'string',
        /** Empty unless the customer said it: a code that tells of no person. */
        reachBy: type.enumerated('phone', 'sms', 'email', ''),
        location,
        answers: answer.array(),
        media: media.array(),
        /** How many more files there were, which could not go up. */
        unsentFiles: 'number.integer',
        requestedAt: instant,
      },
      {
        personal: {
          subject: customer,
          erased: { ...erasedCustomer, description: ERASED, wishedTime: ERASED, answers: [], media: [] },
        },
      },
    ),
    changes: [],
  },

  /** The product itself sent a job. */
  WorkOrderReceived: {
    ...event(
      {
        ...ofJob,
        ...contact,
        title: 'string',
        description: 'string',
        isUrgent: 'boolean',
        location,
        scheduledAt: instant.or('null'),
        receivedAt: instant,
      },
      { personal: { subject: customer, erased: { ...erasedCustomer, description: ERASED } } },
    ),
    changes: [],
  },

  /** The tradie typed the job in by hand. */
  JobAdded: {
    ...event(
      {
        ...ofJob,
        ...contact,
        title: 'string',
        notes: 'string',
        location,
        scheduledAt: instant.or('null'),
        addedAt: instant,
      },
      { personal: { subject: customer, erased: { ...erasedCustomer, notes: ERASED } } },
    ),
    changes: [],
  },

  JobAccepted: { ...event({ ...ofJob, acceptedAt: instant }), changes: ['status'] },

  JobRejected: { ...event({ ...ofJob, rejectedAt: instant }), changes: ['status'] },

  /** Why the tradie rejected it: personal, so that no record for the customer shows it. */
  JobRejectionExplained: {
    ...event(
      { ...ofJob, reason: type.enumerated(...rejectionReasons, ERASED), explainedAt: instant },
      ofReason,
    ),
    changes: [],
  },

  /** `scheduledAt` null takes the job off the schedule. */
  JobScheduled: {
    ...event({ ...ofJob, scheduledAt: instant.or('null'), changedAt: instant }),
    changes: ['schedule'],
  },

  JobStatusChanged: {
    ...event({
      ...ofJob,
      changedAt: instant,
      status: type.enumerated(...workingStatuses.filter((known) => known !== 'Unsuccessful')),
    }),
    changes: ['status'],
  },

  /** Also takes the job off the schedule. */
  JobMarkedUnsuccessful: { ...event({ ...ofJob, markedAt: instant }), changes: ['status', 'schedule'] },

  JobNotesChanged: {
    ...event({ ...ofJob, notes: 'string', changedAt: instant }, ofNotes),
    changes: ['notes'],
  },

  JobStatusRestored: {
    ...event({ ...ofJob, ...undo, status: type.enumerated(...jobStatuses) }),
    changes: ['status'],
  },

  JobScheduleRestored: {
    ...event({ ...ofJob, ...undo, scheduledAt: instant.or('null') }),
    changes: ['schedule'],
  },

  JobNotesRestored: {
    ...event({ ...ofJob, ...undo, notes: 'string' }, ofNotes),
    changes: ['notes'],
  },

  /** The tradie photographed the work; `sha256` is of the bytes as they are stored, in base64. */
  JobPhotoAdded: {
    ...event(
      { ...ofJob, ...described, mime: 'string', bytes: 'number', sha256: 'string', addedAt: instant },
      ofCaption,
    ),
    changes: [],
  },

  JobPhotoDescribed: { ...event({ ...ofJob, ...described, changedAt: instant }, ofCaption), changes: [] },

  /** Its bytes go a day later. */
  JobPhotoRemoved: { ...event({ ...ofJob, photoId: id, removedAt: instant }), changes: [] },

  /** The phone's messages were opened with a text filled in. Whether it was sent, the product cannot know. */
  CustomerMessageOpened: {
    ...event({ ...ofJob, kind: type.enumerated(...messageKinds), openedAt: instant }),
    changes: [],
  },

  /** The tradie looked at a job that waits for an answer, for the first time. */
  JobOpened: { ...event({ ...ofJob, openedAt: instant }), changes: [] },

  /** The customer said that the job need not be done any more. What becomes of it, the tradie decides. */
  JobNoLongerNeeded: { ...event({ ...ofJob, saidAt: instant }), changes: [] },

  /** The customer asked by the link of the receipt for something to be corrected, in `text`. */
  CustomerCorrectionAsked: {
    ...event(
      { ...ofJob, text: 'string', askedAt: instant },
      { personal: { subject: customer, erased: { text: ERASED } } },
    ),
    changes: [],
  },

  /** What the business says to a correction, by the revision of `CustomerCorrectionAsked`; one that is refused stays as the customer's statement. */
  CustomerCorrectionAnswered: {
    ...event({
      ...ofJob,
      asked: 'number.integer >= 0',
      answer: type.enumerated(...correctionAnswers),
      answeredAt: instant,
    }),
    changes: [],
  },

  /** The business changed how the customer is called, reached and found, by the correction of the revision `asked`. */
  CustomerDetailsCorrected: {
    ...event(
      { ...ofJob, ...contact, location, asked: 'number.integer >= 0', correctedAt: instant },
      { personal: { subject: customer, erased: erasedContact } },
    ),
    changes: [],
  },

  /** The customer asked by that link for the removal of their details. What follows from it has events of its own. */
  CustomerRemovalAsked: { ...event({ ...ofJob, askedAt: instant }), changes: [] },

  /** The business keeps the details that the customer asked to remove: why, and until when; they go by themselves then. */
  CustomerRemovalRefused: {
    ...event({ ...ofJob, reason: type.enumerated(...keepReasons), until: instant, refusedAt: instant }),
    changes: [],
  },

  /** A request without an alert until it is answered: follows `JobRequested` at once. */
  JobHeld: {
    ...event({ ...ofJob, heldFor: type.enumerated(...heldReasons), heldAt: instant }),
    changes: [],
  },

  /** A record was made to be handed over: of the events up to the revision `upto`; `sha256` is its `recordHash`, in base64. */
  JobRecordIssued: {
    ...event({
      ...ofJob,
      audience: type.enumerated(...recordAudiences),
      by: type.enumerated(...recordMakers),
      upto: 'number.integer >= 0',
      sha256: 'string',
      issuedAt: instant,
    }),
    changes: [],
  },

  /** There is a dispute about the job: until it is closed, and at most until `until`, nothing of it is erased. */
  JobDisputeOpened: {
    ...event({ ...ofJob, until: instant, reason: 'string', openedAt: instant }, ofReason),
    changes: [],
  },

  JobDisputeClosed: { ...event({ ...ofJob, closedAt: instant }), changes: [] },

  /** The customer's details are to go at `dueAt`, unless that is cancelled; until then the contact is withheld. */
  CustomerErasurePlanned: {
    ...event({ ...ofJob, erasureId: id, dueAt: instant, plannedAt: instant }),
    changes: [],
  },

  CustomerErasureCancelled: { ...event({ ...ofJob, erasureId: id, cancelledAt: instant }), changes: [] },

  /**
   * What the customer and the tradie wrote about the job is gone for every reader from here on, also while the key that
   * opens the events before is still there. Status and schedule stay, and can be changed.
   */
  JobCustomerErased: { ...event({ ...ofJob, erasureId: id, erasedAt: instant }), changes: [] },
} satisfies Record<string, DeclaredEvent & { readonly changes: readonly JobPart[] }>;

export type JobEvent<T extends keyof typeof jobEvents = keyof typeof jobEvents> = EventOf<
  typeof jobEvents,
  T
>;

export const isJobEvent = eventGuard(jobEvents);

/** The parts of a job that an event changes. */
export function partsOf({ type }: Pick<JobEvent, 'type'>): readonly JobPart[] {
  return jobEvents[type].changes;
}
