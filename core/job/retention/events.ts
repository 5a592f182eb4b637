import { type } from 'arktype';
import { customer, ofJob, type PartEvents } from '#core/job/event-fields.ts';
import type { Evolve } from '#core/job/part.ts';
import { type EventOf, event, id, instant } from '#core/kernel/event.ts';
import { ERASED, keepReasons } from '#core/values/stored-details.ts';

/** How long what is known of the customer stays. */
export const retentionEvents = {
  /** The customer asked by the link of the receipt for the removal of their details. What follows from it has events of its own. */
  CustomerRemovalAsked: { ...event({ ...ofJob, askedAt: instant }), changes: [] },

  /** The business keeps the details that the customer asked to remove: why, and until when; they go by themselves then. */
  CustomerRemovalRefused: {
    ...event({ ...ofJob, reason: type.enumerated(...keepReasons), until: instant, refusedAt: instant }),
    changes: [],
  },

  /** There is a dispute about the job: until it is closed, and at most until `until`, nothing of it is erased. */
  JobDisputeOpened: {
    ...event(
      { ...ofJob, until: instant, reason: 'string', openedAt: instant },
      { personal: { subject: customer, erased: { reason: ERASED } } },
    ),
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
} satisfies PartEvents;

export type RetentionEvent = EventOf<typeof retentionEvents>;

/** The dispute about a job: nothing of it is erased before `until`, an instant; null: there is none. */
export type Dispute = Readonly<{ until: string; reason: string }> | null;

export type RetentionState = Readonly<{
  /** What keeps the job from being erased; null for nothing. */
  dispute: Dispute;
  /** The customer asked for the removal of their details, which was neither refused nor taken back since. */
  isRemovalAsked: boolean;
  /** Until when the business keeps the details that the customer asked to remove, an instant; null where it does not. */
  keptUntil: string | null;
  /** The erasure that is to come; null where none is planned, and once it is done. */
  plannedErasure: string | null;
  /** The customer's details are gone. */
  isErased: boolean;
}>;

export const retentionState = {
  begins: (): RetentionState => ({
    dispute: null,
    isRemovalAsked: false,
    keptUntil: null,
    plannedErasure: null,
    isErased: false,
  }),
  evolve: {
    CustomerRemovalAsked: () => ({ isRemovalAsked: true }),
    CustomerRemovalRefused: ({ until }) => ({ isRemovalAsked: false, keptUntil: until }),
    JobDisputeOpened: ({ until, reason }) => ({ dispute: { until, reason } }),
    JobDisputeClosed: () => ({ dispute: null }),
    CustomerErasurePlanned: ({ erasureId }) => ({ plannedErasure: erasureId }),
    CustomerErasureCancelled: () => ({ plannedErasure: null, isRemovalAsked: false }),
    JobCustomerErased: () => ({ isErased: true }),
  } satisfies Evolve<typeof retentionEvents, RetentionState>,
  erased: { dispute: null, plannedErasure: null },
};
