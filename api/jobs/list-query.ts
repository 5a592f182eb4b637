import type { JobSort } from '#core/job/lists.ts';
import { type JobStatus, jobStatuses } from '#core/job/statuses.ts';
import { InvalidInputError } from '#core/kernel/errors.ts';

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

const readers = {
  page: (text: string) => wholeNumber(text, 1, 500),
  limit: (text: string) => wholeNumber(text, 1, 100),
  search: (text: string) => (text === '' || isSearch(text.trim()) ? text.trim() : undefined),
  dir: (text: string) => (['asc', 'desc'] as const).find((known) => known === text),
  sort: (text: string) => (['createdAt', 'scheduledAt', 's.date'] as const).find((known) => known === text),
  filter: readFilter,
};

const messages: Record<keyof typeof readers, string> = {
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
  const read = <K extends keyof typeof readers>(name: K, fallback: string) => {
    const value = readers[name](query[name] ?? fallback) as ReturnType<(typeof readers)[K]>;
    if (value === undefined) problems[name] = messages[name];
    return value as Exclude<typeof value, undefined>;
  };
  for (const name of Object.keys(query))
    if (!Object.hasOwn(readers, name)) problems['*'] = 'Unknown parameter';
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
