import {
  type Evolve,
  type Handlers,
  type History,
  idsOf,
  type JobIds,
  plainEntry,
  unchanged,
  unseen,
} from '#core/job/part.ts';
import type { Command } from '#core/kernel/decider.ts';
import type { EventOf } from '#core/kernel/event.ts';
import { recordEvents } from './events.ts';
import type { RecordEntries } from './words.ts';

type Issued = EventOf<typeof recordEvents>;

/** A record of the job was signed and is about to be handed over: each is an event of its own. */
export type IssueJobRecord = Command<'IssueJobRecord', Omit<Issued['data'], 'issuedAt'>>;

export const record = {
  events: recordEvents,
  begins: () => ({}),
  evolve: { JobRecordIssued: unchanged } satisfies Evolve<typeof recordEvents, object>,
  erased: {},
  handle: {
    IssueJobRecord(job, { at, data: { audience, by, upto, sha256 } }) {
      const issued = { audience, by, upto, sha256, issuedAt: at };
      return [{ type: 'JobRecordIssued', data: { ...idsOf(job), ...issued } }];
    },
  } satisfies Handlers<IssueJobRecord, JobIds, Issued>,
  view: { ...unseen, evolve: { JobRecordIssued: unchanged } },
  history: { JobRecordIssued: plainEntry('record') } satisfies History<
    typeof recordEvents,
    object,
    RecordEntries
  >,
  erasedEntries: {},
};
