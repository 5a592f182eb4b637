import type { JobCardView } from '#core/job/view.ts';
import { keepCards } from '#site/features/jobs/job-cards-store.ts';
import { request } from '#site/lib/api.ts';
import type { Day } from '#site/lib/calendar.ts';
import { type Query, query } from '#site/lib/query.ts';
import { dayKey } from '#site/lib/when.ts';
import type { DayCounts, DayRange } from './schedule-days.ts';

/** The ids of a day's jobs in the order of time. */
export type JobsByDay = Readonly<Record<Day, readonly string[]>>;

/** The 180 days around today where the business is. Where there is `more`, `jobs` lacks some: ask by range. */
export type Schedule = Readonly<{
  today: Day;
  timeZone: string;
  counts: DayCounts;
  jobs: JobsByDay;
  more: boolean;
}>;

type Answer = Readonly<{
  today: Day;
  timeZone: string;
  days: readonly Readonly<{ date: Day; count: number }>[];
  jobs: readonly JobCardView[];
  more: boolean;
}>;

/** Jobs that one range holds at most; the API answers 500. */
export const mostPerRange = 400;

export const schedule: Query<Schedule> = query('job-schedule', async (signal) => {
  const answer = await fetchSchedule('', signal);
  const { today, timeZone, days, more } = answer;
  const counts = Object.fromEntries(days.map(({ date, count }) => [date, count]));
  return { today, timeZone, counts, jobs: jobsByDay(answer), more };
});

/** The jobs of some days, where the whole schedule is too much for one answer. */
export function scheduleRange({ from, to }: DayRange): Query<JobsByDay> {
  return query(`job-schedule:${from}:${to}`, async (signal) =>
    jobsByDay(await fetchSchedule(`?from=${from}&to=${to}`, signal)),
  );
}

function fetchSchedule(parameters: string, signal: AbortSignal): Promise<Answer> {
  return request<Answer>('GET', `/jobs/schedule${parameters}`, { signal });
}

function jobsByDay({ jobs, timeZone }: Answer): JobsByDay {
  keepCards(jobs);
  const byDay: Record<Day, string[]> = {};
  for (const { id, scheduledAt } of jobs) {
    if (!scheduledAt) continue;
    const ids = (byDay[dayKey(scheduledAt, timeZone)] ??= []);
    ids.push(id);
  }
  return byDay;
}
