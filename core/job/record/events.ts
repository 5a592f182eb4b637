import { type } from 'arktype';
import { ofJob, type PartEvents } from '#core/job/event-fields.ts';
import { event, instant } from '#core/kernel/event.ts';
import { recordAudiences, recordMakers } from '#core/values/stored-details.ts';

/** The records of a job that are handed over. */
export const recordEvents = {
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
} satisfies PartEvents;
