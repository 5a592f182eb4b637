import { type } from 'arktype';
import { customer, ofJob, type PartEvents } from '#core/job/event-fields.ts';
import { type Evolve, type JobIds, unchanged } from '#core/job/part.ts';
import { heldReasons, type JobType } from '#core/job/status/statuses.ts';
import { type EventOf, event, type Frozen, instant } from '#core/kernel/event.ts';
import { consumerFields } from '#core/values/job-form.ts';
import { ERASED } from '#core/values/stored-details.ts';

export const location = type({
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

export const contact = { name: 'string', email: 'string', phone: 'string' } as const;

const erasedLocation = { address: ERASED, placeId: null, lat: null, lng: null } as const;
export const erasedContact = {
  name: ERASED,
  email: ERASED,
  phone: ERASED,
  location: erasedLocation,
} as const;
const erasedCustomer = { ...erasedContact, title: ERASED } as const;

/** How a job comes. */
export const requestEvents = {
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

  /** A request without an alert until it is answered: follows `JobRequested` at once. */
  JobHeld: {
    ...event({ ...ofJob, heldFor: type.enumerated(...heldReasons), heldAt: instant }),
    changes: [],
  },
} satisfies PartEvents;

export type RequestEvent<T extends keyof typeof requestEvents = keyof typeof requestEvents> = EventOf<
  typeof requestEvents,
  T
>;

/** An event with which a job comes. */
export type JobOrigin = RequestEvent<'JobRequested' | 'WorkOrderReceived' | 'JobAdded'>;

export function isOrigin(event: Readonly<{ type: string }>): event is JobOrigin {
  return event.type === 'JobRequested' || event.type === 'WorkOrderReceived' || event.type === 'JobAdded';
}

export function typeOf({ type }: JobOrigin): JobType {
  return type === 'WorkOrderReceived' ? 'WorkOrder' : 'Consumer';
}

/** With what the job came, by which a repeat of its first command is recognised. */
export type RequestState = JobIds &
  Readonly<{
    type: JobType;
    name: string;
    email: string;
    phone: string;
    title: string;
    address: string;
  }>;

export const requestState = {
  begins(origin: JobOrigin): RequestState {
    const { jobId: id, businessId, name, email, phone, title, location } = origin.data;
    const { address } = location;
    return { id, businessId, type: typeOf(origin), name, email, phone, title, address };
  },
  evolve: {
    JobRequested: unchanged,
    WorkOrderReceived: unchanged,
    JobAdded: unchanged,
    JobHeld: unchanged,
  } satisfies Evolve<typeof requestEvents, RequestState>,
  erased: { name: ERASED, email: ERASED, phone: ERASED, title: ERASED, address: ERASED },
};
