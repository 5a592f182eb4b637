import type { Proposal } from '#api/assistant/assistant.ts';
import type { JobStatus, WorkingStatus } from '#core/job/statuses.ts';
import type { Period } from './period.ts';

/** Words that a job is looked for by, and the place it is at where one was named. */
export type JobWords = Readonly<{ words: string; place: string | null }>;
/** Jobs that an answer of before showed; none: nothing was spoken of yet. */
export type SpokenJobs = Readonly<{ ids: readonly string[] }>;
export type JobRef = JobWords | SpokenJobs;

/** Parts of the product that the assistant can point at. */
export const topics = [
  'form',
  'questions',
  'add',
  'alerts',
  'password',
  'profile',
  'time',
  'logout',
] as const;
export type Topic = (typeof topics)[number];

export type Change = Readonly<Exclude<Proposal['change'], { kind: 'notes' }>>;

/** What a tradie wants to know or do, as far as the words tell. */
export type Intent =
  | Readonly<{ kind: 'schedule'; period: Period }>
  | Readonly<{ kind: 'next' | 'overdue' | 'waiting' | 'new' | 'summary' }>
  | Readonly<{ kind: 'count'; of: CountedList }>
  | Readonly<{ kind: 'status'; statuses: readonly JobStatus[]; label: string }>
  | Readonly<{ kind: 'given-status'; status: WorkingStatus; period: Period }>
  | Readonly<{ kind: 'find' | 'contact' | 'address'; job: JobRef }>
  | Readonly<{ kind: 'change'; job: JobRef; change: Change }>
  | Readonly<{ kind: 'note'; job: JobRef; note: string }>
  | Readonly<{ kind: 'how'; topic: Topic }>
  | Readonly<{ kind: 'greeting' | 'thanks' | 'press' | 'help' | 'unknown' }>;
export type CountedList = 'new' | 'inProgress' | 'all';
