import type { JobCounts, JobSort, JobStatus, WorkingStatus } from '#core/job/status/statuses.ts';
import type { JobCardView, JobView } from '#core/job/view.ts';
import type { Region } from '#core/values/region.ts';

/** Local days of the business, both ends included, as `YYYY-MM-DD`. */
export type Days = Readonly<{ from: string; to: string }>;

/** When and where a question is asked: "today" is in the business's IANA zone, money in its region's currency. */
export type Clock = Readonly<{ now: Date; timeZone: string; region: Region }>;

type JobQuery = Readonly<{
  statuses?: readonly JobStatus[];
  /** 3 to 100 characters. */
  search?: string;
  sort?: JobSort;
  dir?: 'asc' | 'desc';
  /** At most 100. */
  limit?: number;
}>;

/**
 * All that an assistant can look at: one business's own jobs, bound to it from outside, contact withheld where the status
 * asks for it. None of them changes anything.
 */
export type JobTools = Readonly<{
  counts(): Promise<JobCounts>;
  list(query: JobQuery): Promise<readonly JobCardView[]>;
  /** Null for an unknown job, or another business's. */
  job(id: string): Promise<JobView | null>;
  /** What is on from one day to another, by time. */
  schedule(days: Days): Promise<readonly JobCardView[]>;
  /** What should be done by now and is not, as the dashboard has it: how many, and those that wait the longest. */
  overdue(): Promise<Readonly<{ count: number; jobs: readonly JobCardView[] }>>;
  /** Jobs that were given a status on these days, latest first. `isWhole` false: only the newest jobs were looked at. */
  givenStatus(
    status: WorkingStatus,
    days: Days,
  ): Promise<Readonly<{ jobs: readonly JobCardView[]; isWhole: boolean }>>;
  /** The path of the business's job form for customers; null before it has an address. */
  formPath(): Promise<string | null>;
}>;

/** A row that opens its job; `lead` says when, or since when. */
export type JobLine = Readonly<{ id: string; lead: string; title: string }>;

/** A change that is made by an ordinary call of the API, once the tradie presses its button. */
export type Proposal = Readonly<{
  jobId: string;
  title: string;
  /** What the tradie looked at: a job that changed meanwhile is not overwritten. */
  revision: number;
  change:
    | Readonly<{ kind: 'accept' | 'reject' }>
    | Readonly<{ kind: 'status'; status: WorkingStatus }>
    | Readonly<{ kind: 'schedule'; scheduledAt: string }>
    | Readonly<{ kind: 'notes'; notes: string }>;
}>;

/** A piece of an answer, in the order in which it is read. `text` is text: nothing in it is markup or a link. */
export type Piece =
  | Readonly<{ kind: 'text'; text: string }>
  | Readonly<{ kind: 'jobs'; jobs: readonly JobLine[] }>
  | Readonly<{ kind: 'proposal'; proposal: Proposal }>
  /** To a page of the product itself: `path` is its own. */
  | Readonly<{ kind: 'link'; label: string; path: string }>;

/**
 * An exchange of before, as the browser tells it: a hint at what "it" and "them" mean, and never more. `jobs` are the ids
 * that its answer showed, in their order; whatever becomes of them goes through the tools.
 */
export type Earlier = Readonly<{ question: string; answer: string; jobs: readonly string[] }>;

/** What is asked, after what (oldest first). `signal` aborts once the tradie has left or stopped the answer. */
export type Question = Readonly<{ message: string; earlier: readonly Earlier[]; signal: AbortSignal }>;

/** Answers one message of a tradie. Throws `AssistantError` for what the tradie may read. */
export type Assistant = Readonly<{
  reply(question: Question, tools: JobTools, clock: Clock): AsyncIterable<Piece>;
}>;

/** Why an answer did not come to its end; `message` is for the tradie, `reason` for the log. */
export class AssistantError extends Error {
  override readonly name = 'AssistantError';
  constructor(
    readonly reason: 'busy' | 'late' | 'refused' | 'unavailable' | 'malformed' | 'cut',
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }
}
