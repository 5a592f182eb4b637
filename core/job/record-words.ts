import { answerRecord } from './answer/words.ts';
import { customerRecord } from './customer/words.ts';
import type { jobEvents } from './job.ts';
import { notesRecord } from './notes/words.ts';
import { photosRecord } from './photos/words.ts';
import { recordRecord } from './record/words.ts';
import { requestRecord } from './request/words.ts';
import { retentionRecord } from './retention/words.ts';
import { scheduleRecord } from './schedule/words.ts';
import { statusRecord } from './status/words.ts';
import { together } from './together.ts';
import type { RecordWords } from './words.ts';

const parts = [
  requestRecord,
  answerRecord,
  scheduleRecord,
  statusRecord,
  notesRecord,
  photosRecord,
  customerRecord,
  retentionRecord,
  recordRecord,
];

/** What a record says of the events of a job and of their personal fields. */
export const recordWords: RecordWords<typeof jobEvents> = {
  events: together(parts, 'events'),
  fields: together(parts, 'fields'),
};
