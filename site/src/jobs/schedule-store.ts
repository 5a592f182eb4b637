import type { scheduleLimits } from '#core/values/time.ts';
import type { AnswerOf, QueryOf } from '#site/lib/http/api.ts';
import { type Queries, type Query, query, type Read } from '#site/lib/http/query.ts';
import type { Day } from '#site/lib/time/calendar.ts';
import { dayKey } from '#site/lib/time/moments.ts';
import { storeCards } from './job-stores.ts';

export type DayCounts = Readonly<Record<Day, number>>;
export type DayRange = Readonly<{ from: Day; to: Day }>;

/** The ids of a day's jobs in the order of time. */
export type JobsByDay = Readonly<Record<Day, readonly string[]>>;

/** The 180 days around today where the business is. Where there is `more`, `jobs` lacks some: read by range. */
export type Schedule = Readonly<{
  today: Day;
  timeZone: string;
  counts: DayCounts;
  jobs: JobsByDay;
  more: boolean;
}>;

type Answer = AnswerOf<'GET', '/jobs/schedule'>;

/** Jobs that a range of several days holds at most. */
export const mostPerRange = 400;
/** Written out, as the file it stands in would come along with every page. */
const perPage: (typeof scheduleLimits)['jobs'] = 500;

/** The schedule as queries of the API. */
export function createSchedule({ query }: Pick<Queries, 'query'>) {
  const schedule: Query<Schedule> = query('job-schedule', (_, read) => load(read), {
    readsOffline: true,
    otherwise: (_, read) => loadAhead(read),
  });

  /** The jobs of some days, where the whole schedule is too much for one answer; a day alone may have several pages. */
  function scheduleRange({ from, to }: DayRange, page: number): Query<JobsByDay> {
    const asked = { from, to, page: String(page) } satisfies QueryOf<'GET', '/jobs/schedule'>;
    const path = `/jobs/schedule?${new URLSearchParams(asked)}` as const;
    return query(`job-schedule:${path}`, async (_, read) => jobsByDay(await read(path)), {
      readsOffline: true,
    });
  }

  return { schedule, scheduleRange };
}

export const { schedule, scheduleRange } = createSchedule({ query });

/** From today on, as the dashboard asks for it, with room for those of today that are done. */
export const aheadPath = '/jobs/schedule?ahead=90&limit=75';

async function load(read: Read): Promise<Schedule> {
  const answer = await read('/jobs/schedule');
  const { today, timeZone, days, more } = answer;
  const counts = Object.fromEntries(days.map(({ date, count }) => [date, count]));
  return { today, timeZone, counts, jobs: jobsByDay(answer), more };
}

/** What the dashboard has of the schedule: its jobs are all there is, so the days count those. */
async function loadAhead(read: Read): Promise<Schedule> {
  const answer = await read(aheadPath);
  const { today, timeZone, overdue } = answer;
  const byDay = jobsByDay({ timeZone, jobs: [...overdue.jobs, ...answer.jobs] });
  const counts = Object.fromEntries(Object.entries(byDay).map(([day, ids]) => [day, ids.length]));
  return { today, timeZone, counts, jobs: byDay, more: false };
}

/** On which page the job at a place of its range is, and how many jobs are on those before. */
export function pageOf(place: number): Readonly<{ page: number; before: number }> {
  const page = Math.floor(place / perPage) + 1;
  return { page, before: (page - 1) * perPage };
}

function jobsByDay({ jobs, timeZone }: Pick<Answer, 'jobs' | 'timeZone'>): JobsByDay {
  storeCards(jobs);
  const byDay: Record<Day, string[]> = {};
  for (const { id, scheduledAt } of jobs) {
    if (!scheduledAt) continue;
    const ids = (byDay[dayKey(scheduledAt, timeZone)] ??= []);
    ids.push(id);
  }
  return byDay;
}
