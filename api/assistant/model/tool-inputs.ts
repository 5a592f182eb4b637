import type { FlexibleSchema, Tool } from 'ai';
import { type } from 'arktype';
import { topics } from '#api/assistant/embedded/intent.ts';
import { jobStatuses, workingStatuses } from '#core/job/statuses.ts';

/** The longest stretch of days that a model may ask for at once. */
const MOST_DAYS = 92;

const JobId = type(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const Day = type(/^\d{4}-\d{2}-\d{2}$/);
const JobStatus = type.enumerated(...jobStatuses);
const WorkingStatus = type.enumerated(...workingStatuses);

/** What a model may ask of each tool. None of them names a business. */
export const toolInputs = {
  nothing: type({}),
  list: type({
    'statuses?': JobStatus.array().atMostLength(jobStatuses.length),
    'search?': '3 <= string <= 100',
    'order?': "'newest' | 'oldest'",
  }),
  job: type({ id: JobId }),
  jobs: type({ ids: JobId.array().atLeastLength(1).atMostLength(5) }),
  days: type({ from: Day, to: Day }),
  givenStatus: type({ status: WorkingStatus, from: Day, to: Day }),
  change: type({ id: JobId, change: type.enumerated('accept', 'reject', ...workingStatuses) }),
  note: type({ id: JobId, note: '1 <= string <= 1000' }),
  page: type({ page: type.enumerated(...topics) }),
} as const;

/** Makes a tool of a description for the model, what it may be asked with, what it does, and what one use of it costs (1). */
export type ToolMaker = <Input>(
  description: string,
  input: FlexibleSchema<Input>,
  use: (input: Input) => Promise<object>,
  cost?: number,
) => Tool;

/** Whether these are real days, in their order, and not too many. */
export function areDays({ from, to }: Readonly<{ from: string; to: string }>): boolean {
  try {
    const length = Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).days;
    return length >= 0 && length < MOST_DAYS;
  } catch {
    return false;
  }
}
