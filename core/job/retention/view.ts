import { type Evolve, type History, plainEntry, unchanged } from '#core/job/part.ts';
import type { retentionEvents } from './events.ts';
import type { RetentionEntries } from './words.ts';

export type RetentionDetails = Readonly<{
  /** When the customer's details are to be removed; null where that is not planned, and once they are. */
  erasureDueAt: string | null;
  /** When the customer asked for their removal, while that is not refused or taken back; null once they are removed. */
  removalAskedAt: string | null;
  /** Until when the business keeps them although the customer asked for their removal: they go by themselves then. */
  keptUntil: string | null;
  /** When they were removed. Every text is `ERASED` then. */
  erasedAt: string | null;
}>;

export type RetentionCard = Readonly<{
  /** When the customer's details are to be removed; absent where that is not planned, and once they are. */
  erasureDueAt?: string;
  /** When the customer asked for their removal; absent where they did not, and once it is refused or done. */
  removalAskedAt?: string;
  /** When they were removed; absent while they are there. */
  erasedAt?: string;
}>;

export const retentionView = {
  begins: (): RetentionDetails => ({
    erasureDueAt: null,
    removalAskedAt: null,
    keptUntil: null,
    erasedAt: null,
  }),
  evolve: {
    CustomerRemovalAsked: ({ askedAt }) => ({ removalAskedAt: askedAt, keptUntil: null }),
    CustomerRemovalRefused: ({ until }) => ({ removalAskedAt: null, keptUntil: until }),
    JobDisputeOpened: unchanged,
    JobDisputeClosed: unchanged,
    CustomerErasurePlanned: ({ dueAt }) => ({ erasureDueAt: dueAt }),
    CustomerErasureCancelled: () => ({ erasureDueAt: null, removalAskedAt: null }),
    JobCustomerErased: ({ erasedAt }) => ({ erasedAt }),
  } satisfies Evolve<typeof retentionEvents, RetentionDetails>,
  erased: { erasureDueAt: null, removalAskedAt: null, keptUntil: null },
  card: ({
    erasureDueAt,
    removalAskedAt,
    erasedAt,
  }: Pick<RetentionDetails, keyof RetentionCard>): RetentionCard => ({
    ...(erasureDueAt && { erasureDueAt }),
    ...(removalAskedAt && { removalAskedAt }),
    ...(erasedAt && { erasedAt }),
  }),
  page: unchanged,
};

export const retentionEntries = {
  CustomerRemovalAsked: plainEntry('removal-asked'),
  CustomerRemovalRefused: ({ reason }) => [{ what: 'removal-refused', from: null, to: reason }],
  JobDisputeOpened: plainEntry('dispute-opened'),
  JobDisputeClosed: plainEntry('dispute-closed'),
  CustomerErasurePlanned: plainEntry('erasure-planned'),
  CustomerErasureCancelled: plainEntry('erasure-cancelled'),
  JobCustomerErased: plainEntry('erased'),
} satisfies History<typeof retentionEvents, object, RetentionEntries>;
