import { type HistoryWords, type RecordWords, scheduled, type Values } from '#core/job/words.ts';
import type { scheduleEvents } from './events.ts';

export type ScheduleEntries = Readonly<{ schedule: Values<string | null, string | null> }>;

export const scheduleHistory: HistoryWords<ScheduleEntries> = {
  schedule({ from, to }, { besideJob, when }) {
    const job = besideJob ? 'it' : 'the job';
    if (to === null) return [`took ${job} off the schedule, it was ${from && when(from)}`];
    if (from === null) return [besideJob ? 'set it for' : 'scheduled the job for', when(to)];
    return [`moved ${job} from ${when(from)} to`, when(to)];
  },
};

export const scheduleRecord: RecordWords<typeof scheduleEvents> = {
  events: {
    JobScheduled: scheduled('The job was scheduled for', 'The job was taken off the schedule'),
    JobScheduleRestored: scheduled(
      'A change was undone: the job is scheduled again for',
      'A change was undone: the job is off the schedule again',
    ),
  },
  fields: {},
};
