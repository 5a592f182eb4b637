import { type } from 'arktype';
import { countParameter, textParameter } from '#api/http/validation.ts';
import { type JobStatus, jobStatuses } from '#core/job/status/statuses.ts';
import { InvalidInputError } from '#core/kernel/errors.ts';
import { isEmail, normaliseEmail } from '#core/values/contact.ts';
import { countCharacters, searchLength, singleLine } from '#core/values/text.ts';
import { scheduleLimits } from '#core/values/time.ts';
import type { ScheduleQuery } from '#projections/jobs/schedule.ts';
import { isInstant, storedInstant } from './scheduled-time.ts';

type Filter = Readonly<{ statuses: readonly JobStatus[]; today: boolean }>;

const searchMessage = `Nothing, or ${searchLength.min} to ${searchLength.max} characters`;
const filterMessage = "Statuses with commas between, or 'today'";

/** What GET /jobs/{id} is asked for: `at` is the revision after which the job is shown. */
export const JobQuery = type({
  '+': 'reject',
  'at?': type('/^\\d{1,9}$/')
    .configure({ description: 'A revision', examples: ['4'] })
    .pipe(Number),
});

const momentMessage = 'A moment that has passed, as 2026-11-01T09:00:00Z';

/** The moment at which jobs are shown as they stood. */
const moment = textParameter(momentMessage, '2026-11-01T09:00:00Z')
  .narrow((text, ctx) => isInstant(text) || ctx.reject({ message: momentMessage }))
  .pipe((text) => new Date(text));

/** What GET /jobs/count is asked for. */
export const CountQuery = type({ '+': 'reject', 'at?': moment });

const listRefusal = 'This list cannot be shown';

/** What GET /jobs is asked for. No status in `filter` means every status. */
export const ListQuery = type({
  '+': 'reject',
  page: countParameter(500, 'A whole number from 1 to 500').describe('Which page').default('1'),
  limit: countParameter(100, 'A whole number from 1 to 100').describe('Jobs of a page').default('75'),
  search: type('string')
    .narrow((text, ctx) => isSearch(singleLine(text)) || ctx.reject({ message: searchMessage }))
    .describe(searchMessage)
    .pipe(singleLine)
    .default(''),
  dir: type
    .enumerated('asc', 'desc')
    .configure({ message: 'asc or desc', description: 'Which end comes first' })
    .default('desc'),
  sort: type
    .enumerated('createdAt', 'scheduledAt', 's.date')
    .configure({ message: 'createdAt, scheduledAt or s.date', description: 'What the jobs are sorted by' })
    .default('createdAt'),
  'at?': moment,
  filter: type('string')
    .narrow((text, ctx) => filterOf(text) !== undefined || ctx.reject({ message: filterMessage }))
    .configure({
      description: `${filterMessage}; without it, every status`,
      examples: ['To quote,In progress'],
    })
    .pipe((text) => filterOf(text) as Filter)
    .default(''),
}).configure({ refusal: listRefusal });

/** Throws InvalidInputError for a search in jobs as they stood: only the names and texts of today are searched. */
export function assertSearchable({ at, search }: Pick<typeof ListQuery.infer, 'at' | 'search'>): void {
  if (at !== undefined && search !== '')
    throw new InvalidInputError(listRefusal, { search: 'Only in the jobs of now' });
}

function isSearch(text: string): boolean {
  return (
    text === '' || (countCharacters(text) >= searchLength.min && countCharacters(text) <= searchLength.max)
  );
}

function filterOf(text: string): Filter | undefined {
  if (text === '') return { statuses: [], today: false };
  if (text === 'today') return { statuses: [], today: true };
  const statuses = text.split(',').map((part) => jobStatuses.find((status) => status === part));
  if (statuses.length > jobStatuses.length || statuses.includes(undefined)) return undefined;
  return { statuses: [...new Set(statuses as JobStatus[])], today: false };
}

const DAY = 86_400_000;
const tooManyDays = `Two days as YYYY-MM-DD, at most ${scheduleLimits.days} days in all`;
const badAhead = `From 1 to ${scheduleLimits.days} days from today on, without other days`;
const refusal = 'These days cannot be shown';

/** What GET /jobs/schedule is asked for; `daysOf` says which days they are. */
export const AskedSchedule = type({
  '+': 'reject',
  'from?': day('The first day, together with `to`; without them, the usual days'),
  'to?': day(`The last day, at most ${scheduleLimits.days} days in all`),
  'ahead?': countParameter(scheduleLimits.days, badAhead).describe(
    'Days from today on, instead of `from` and `to`',
  ),
  page: countParameter(scheduleLimits.pages, `From 1 to ${scheduleLimits.pages}`)
    .describe('Which page')
    .default('1'),
  limit: countParameter(scheduleLimits.jobs, `From 1 to ${scheduleLimits.jobs}`)
    .describe('Jobs of a page')
    .default(String(scheduleLimits.jobs)),
}).configure({ refusal });

function day(description: string) {
  return type('string').configure({ description, format: 'date' });
}

/** The days of a schedule; none for the usual ones. Throws InvalidInputError for days that do not go together. */
export function daysOf({
  from,
  to,
  ahead,
}: Pick<typeof AskedSchedule.infer, 'from' | 'to' | 'ahead'>): Pick<ScheduleQuery, 'days' | 'ahead'> {
  if (from === undefined && to === undefined) return { ahead };
  if (ahead !== undefined) throw new InvalidInputError(refusal, { ahead: badAhead });
  const [first, last] = [dayNumber(from), dayNumber(to)];
  if (!(last - first >= 0 && last - first < scheduleLimits.days))
    throw new InvalidInputError(refusal, { from: tooManyDays, to: tooManyDays });
  return { days: { from: from as string, to: to as string } };
}

/** Days since 1970; NaN for what is no day between 2000 and 2099. */
function dayNumber(text = ''): number {
  if (!/^20\d{2}-\d{2}-\d{2}$/.test(text)) return Number.NaN;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? Number.NaN : time / DAY;
}

/** What GET /jobs/hints is asked for. A value that is still being typed is not compared. */
export const AskedHints = type({
  'except?': textParameter('The id of a job that is no hint'),
  'scheduledAt?': textParameter('A time; jobs at that time overlap').pipe((text) =>
    isInstant(text) ? storedInstant(text) : null,
  ),
  'phone?': textParameter('Of the customer. What is still being typed is not compared'),
  'email?': textParameter('Of the customer').pipe((text) => {
    const email = normaliseEmail(text);
    return isEmail(email) ? email : undefined;
  }),
  'address?': textParameter('Where the work is; 300 characters are compared').pipe((text) =>
    singleLine(text.slice(0, 300)),
  ),
});
