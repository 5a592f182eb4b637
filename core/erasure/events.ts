import { type } from 'arktype';
import { type EventOf, event, eventGuard, id, instant } from '#core/kernel/event.ts';

/** Whose details go: of the customers of jobs, of an account, of a business with all its jobs, of a prospect. */
export const erasureScopes = ['jobs', 'account', 'business', 'demo'] as const;
export type ErasureScope = (typeof erasureScopes)[number];

/** Why they go. */
export const erasureBases = ['customer-asked', 'tradie', 'account-closed', 'retention', 'operator'] as const;
export type ErasureBasis = (typeof erasureBases)[number];

const ofErasure = { erasureId: id } as const;

/**
 * The events of one erasure, from the request to its end. Ids alone: neither the email that led to the jobs nor a name, so
 * that the stream can be shown to an inspector after the person is gone.
 */
export const erasureEvents = {
  /** `ids` are those of jobs, or the one of what else is in `scope`; `businessId` is null for what belongs to none. */
  ErasureRequested: event({
    ...ofErasure,
    scope: type.enumerated(...erasureScopes),
    basis: type.enumerated(...erasureBases),
    businessId: id.or('null'),
    ids: id.array(),
    requestedAt: instant,
    dueAt: instant,
  }),

  ErasureCancelled: event({ ...ofErasure, cancelledAt: instant }),

  /** It is not carried out: a hold keeps what it is about. */
  ErasureRefused: event({ ...ofErasure, reason: type.enumerated('held'), refusedAt: instant }),

  /** From here on it cannot be taken back. */
  ErasureBegun: event({ ...ofErasure, begunAt: instant }),

  /** All of it is gone; `counts` says of how many rows, files and keys in each place. */
  ErasureCompleted: event({
    ...ofErasure,
    counts: { '[string]': 'number.integer >= 0' },
    completedAt: instant,
  }),
};

export type ErasureEvent<T extends keyof typeof erasureEvents = keyof typeof erasureEvents> = EventOf<
  typeof erasureEvents,
  T
>;

export const isErasureEvent = eventGuard(erasureEvents);
