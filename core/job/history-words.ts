import { type AnswerEntries, answerHistory } from './answer/words.ts';
import { type CustomerEntries, customerHistory } from './customer/words.ts';
import { type NotesEntries, notesHistory } from './notes/words.ts';
import type { EntryOf } from './part.ts';
import { type PhotosEntries, photosHistory } from './photos/words.ts';
import { type RecordEntries, recordHistory } from './record/words.ts';
import { type RequestEntries, requestHistory } from './request/words.ts';
import { type RetentionEntries, retentionHistory } from './retention/words.ts';
import { type ScheduleEntries, scheduleHistory } from './schedule/words.ts';
import { type StatusEntries, statusHistory } from './status/words.ts';
import type { Action, HistoryWords, NoValues, Wording } from './words.ts';

/** All kinds of entries of a job's history, with what they hold: statuses by name, times as instants, notes and corrections in full. */
export type Entries = RequestEntries &
  AnswerEntries &
  ScheduleEntries &
  StatusEntries &
  NotesEntries &
  PhotosEntries &
  CustomerEntries &
  RetentionEntries &
  RecordEntries &
  Readonly<{ unreadable: NoValues }>;

/** What an entry of a job's history is about. */
export type EntryContent = EntryOf<Entries>;

const words: HistoryWords<Entries> = {
  unreadable: 'did something that cannot be read',
  ...requestHistory,
  ...answerHistory,
  ...scheduleHistory,
  ...statusHistory,
  ...notesHistory,
  ...photosHistory,
  ...customerHistory,
  ...retentionHistory,
  ...recordHistory,
};

/** An entry in words, without who did it: what was done and, where there is one, the value that it led to. */
export function actionWords(entry: EntryContent, wording: Wording): Action {
  const said: HistoryWords<Record<string, never>>[string] = words[entry.what];
  const [what, ...to] = typeof said === 'function' ? said(entry as never, wording) : plain(said, wording);
  return [wording.besideJob ? what.replaceAll("'", '’') : what, ...to];
}

function plain(said: string | readonly [string, string], { besideJob }: Wording): Action {
  return [typeof said === 'string' ? said : said[besideJob ? 1 : 0]];
}
