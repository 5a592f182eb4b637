import type { RejectionReason } from '#core/job/answer/rejection-reasons.ts';
import type { JobStatus } from '#core/job/status/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import type { Region } from '#core/values/region.ts';
import type {
  CorrectionAnswer,
  KeepReason,
  RecordAudience,
  RecordMaker,
} from '#core/values/stored-details.ts';

/** What the server sends to the page of an alert's link: enough to decide, nothing to reach the customer by. */
export type AnswerLink = Readonly<{
  job: Pick<
    JobView,
    'type' | 'title' | 'isUrgent' | 'createdAt' | 'form' | 'consumerJobDetails' | 'workOrderDetails'
  > &
    Readonly<{
      name: string | null;
      suburb: string | null;
      when: string | null;
      isScheduled: boolean;
      distance: string | null;
      reference: string;
    }>;
  photos: readonly Readonly<{ url: string; thumb: string }>[];
  business: string;
  timeZone: string;
  region: Region;
  state: 'open' | 'answered' | 'closed';
  answer: 'accept' | 'decline' | null;
  closedBecause: 'answered' | 'not-needed' | null;
  rejection: Readonly<{ reason: RejectionReason | null }> | null;
  undoUntil: string | null;
  isUndone: boolean;
  isReplaced: boolean;
  contact: Readonly<{ name: string; phone: string; address: string }> | null;
  jobUrl: string;
  expiresAt: string;
}>;

/** What it sends to the page of a link to unsubscribe. `what` reads in a sentence: `the newsletter`. */
export type UnsubscribeLink = Readonly<{ what: string; state: 'on' | 'off' }>;

/** What it sends to the page of a customer's link: nothing that a person typed. `phone` is E.164. */
export type NotNeededLink = Readonly<{
  business: string;
  phone: string | null;
  slug: string | null;
  reference: string;
  requestedAt: string;
  state: 'open' | 'told' | 'declined' | 'done';
}>;

/** What it sends to the page of a customer's link that has ended: only what the business publishes. */
export type EndedLink = Readonly<{ name: string; phone: string | null; slug: string | null }>;

/** What it sends to the page of a welcome mail's link. */
export type WelcomeLink = Readonly<{ state: 'open' | 'confirmed' }>;

/** What it sends to the page of a receipt's "Your details". `phone` is E.164, times are instants; `held` is null once it is removed. */
export type YourDetails = Readonly<{
  business: string;
  phone: string | null;
  slug: string | null;
  timeZone: string;
  region: Region;
  reference: string;
  removedAt: string | null;
  held: Readonly<{
    rows: readonly Readonly<{ label: string; value: string }>[];
    files: readonly Readonly<{ name: string; bytes: number; thumb: string | null }>[];
    status: JobStatus;
    isCalledOff: boolean;
    sentAt: string;
    retention: Readonly<{ rule: 'never-accepted' | 'worked-on'; years: number; until: string }>;
    corrections: readonly Readonly<{ text: string; askedAt: string; answer: CorrectionAnswer | null }>[];
    canCorrect: boolean;
    removal:
      | Readonly<{ state: 'at-once' | 'by-business' }>
      | Readonly<{ state: 'asked'; askedAt: string }>
      | Readonly<{ state: 'refused'; reason: KeepReason; until: string }>
      | Readonly<{ state: 'planned'; dueAt: string; canKeep: boolean }>;
    records: readonly Readonly<{ madeAt: string; by: RecordMaker; audience: RecordAudience }>[];
  }> | null;
}>;
