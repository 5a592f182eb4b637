import type { JobSort } from '#core/job/lists.ts';
import { type JobStatus, jobStatuses } from '#core/job/statuses.ts';
import { InvalidInputError } from '#core/kernel/errors.ts';
import { isEmail, normaliseEmail, parsePhone } from '#core/values/contact.ts';
import { singleLine } from '#core/values/text.ts';
import type { HintQuery } from '#projections/jobs/hints.ts';
import { type ScheduleQuery, scheduleLimits } from '#projections/jobs/schedule.ts';
import { isInstant, storedInstant } from './scheduled-time.ts';

/** What GET /jobs was asked for. `statuses` empty means every status. */
export type ListQuery = Readonly<{
  page: number;
  limit: number;
  search: string;
  dir: 'asc' | 'desc';
  sort: JobSort;
  statuses: readonly JobStatus[];
  today: boolean;
}>;

const listReaders = {
  page: (text: string) => wholeNumber(text, 1, 500),
  limit: (text: string) => wholeNumber(text, 1, 100),
  search: (text: string) => (text === '' || isSearch(text.trim()) ? text.trim() : undefined),
  dir: (text: string) => (['asc', 'desc'] as const).find((known) => known === text),
  sort: (text: string) => (['createdAt', 'scheduledAt', 's.date'] as const).find((known) => known === text),
  filter: readFilter,
};

const listMessages: Record<keyof typeof listReaders, string> = {
  page: 'A whole number from 1 to 500',
  limit: 'A whole number from 1 to 100',
  search: 'Nothing, or 3 to 100 characters',
  dir: 'asc or desc',
  sort: 'createdAt, scheduledAt or s.date',
  filter: "Statuses with commas between, or 'today'",
};

/** Reads the query of GET /jobs. Throws InvalidInputError that says what each wrong parameter takes. */
export function readListQuery(query: Readonly<Record<string, string | undefined>>): ListQuery {
  const problems: Record<string, string> = {};
  const read = <K extends keyof typeof listReaders>(name: K, fallback: string) => {
    const value = listReaders[name](query[name] ?? fallback) as ReturnType<(typeof listReaders)[K]>;
    if (value === undefined) problems[name] = listMessages[name];
    return value as Exclude<typeof value, undefined>;
  };
  for (const name of Object.keys(query))
    if (!Object.hasOwn(listReaders, name)) problems['*'] = 'Unknown parameter';
  const asked = {
    page: read('page', '1'),
    limit: read('limit', '75'),
    search: read('search', ''),
    dir: read('dir', 'desc'),
    sort: read('sort', 'createdAt'),
    ...read('filter', ''),
  };
  if (Object.keys(problems).length > 0) throw new InvalidInputError('This list cannot be shown', problems);
  return asked;
}

function wholeNumber(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return value >= least && value <= most ? value : undefined;
}

function isSearch(text: string): boolean {
  return text.length >= 3 && text.length <= 100;
}

function readFilter(text: string): Pick<ListQuery, 'statuses' | 'today'> | undefined {
  if (text === '') return { statuses: [], today: false };
  if (text === 'today') return { statuses: [], today: true };
  const statuses = text.split(',').map((part) => jobStatuses.find((status) => status === part));
  if (statuses.length > jobStatuses.length || statuses.includes(undefined)) return undefined;
  return { statuses: [...new Set(statuses as JobStatus[])], today: false };
}

const DAY = 86_400_000;
const tooManyDays = `Two days as YYYY-MM-DD, at most ${scheduleLimits.days} days in all`;
const badAhead = `From 1 to ${scheduleLimits.days} days from today on, without other days`;
const badPage = `From 1 to ${scheduleLimits.pages}`;
const badLimit = `From 1 to ${scheduleLimits.jobs}`;

type AskedSchedule = Pick<ScheduleQuery, 'days' | 'ahead' | 'page' | 'limit'>;

/** What GET /jobs/schedule was asked for; without days they are the usual ones. Throws InvalidInputError. */
export function readScheduleQuery(query: Readonly<Record<string, string | undefined>>): AskedSchedule {
  const { from, to, ahead, page, limit, ...others } = query;
  if (Object.keys(others).length > 0) throw refusal({ '*': 'Unknown parameter' });
  const asked = {
    page: page === undefined ? 1 : upTo(scheduleLimits.pages, page, { page: badPage }),
    limit: limit === undefined ? scheduleLimits.jobs : upTo(scheduleLimits.jobs, limit, { limit: badLimit }),
  };
  if (from === undefined && to === undefined) {
    if (ahead === undefined) return asked;
    return { ...asked, ahead: upTo(scheduleLimits.days, ahead, { ahead: badAhead }) };
  }
  if (ahead !== undefined) throw refusal({ ahead: badAhead });
  const [first, last] = [dayNumber(from), dayNumber(to)];
  if (!(last - first >= 0 && last - first < scheduleLimits.days))
    throw refusal({ from: tooManyDays, to: tooManyDays });
  return { ...asked, days: { from: from as string, to: to as string } };
}

function upTo(most: number, text: string, problem: Record<string, string>): number {
  const number = wholeNumber(text, 1, most);
  if (number === undefined) throw refusal(problem);
  return number;
}

/** Days since 1970; NaN for what is no day between 2000 and 2099. */
function dayNumber(text = ''): number {
  if (!/^20\d{2}-\d{2}-\d{2}$/.test(text)) return Number.NaN;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? Number.NaN : time / DAY;
}

function refusal(fields: Record<string, string>): InvalidInputError {
  return new InvalidInputError('These days cannot be shown', fields);
}

/** What GET /jobs/hints was asked for. A value that is still being typed is not compared. */
export function readHintQuery(
  query: Readonly<Record<string, string | undefined>>,
): Omit<HintQuery, 'businessId' | 'now'> {
  const { scheduledAt = '', phone = '', email = '', address = '', except } = query;
  const mail = normaliseEmail(email);
  return {
    except,
    scheduledAt: isInstant(scheduledAt) ? storedInstant(scheduledAt) : null,
    phone: parsePhone(phone) ?? undefined,
    email: isEmail(mail) ? mail : undefined,
    address: singleLine(address.slice(0, 300)),
  };
}
