import type { Page } from '@playwright/test';

const dayLength = 86_400_000;
const asDay = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Which days a mocked schedule has jobs on, by their distance from today in UTC, and how many. */
export type JobsOn = (daysFromToday: number) => number;

/** Answers the schedule with as many jobs as asked for, 500 cards a page, as the API does. */
export async function mockSchedule(page: Page, jobsOn: JobsOn): Promise<void> {
  await page.route('**/api/jobs/schedule*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    const today = Date.parse(`${asDay(Date.now())}T00:00:00Z`);
    const [from, to] = [
      query.get('from') ?? asDay(today - 90 * dayLength),
      query.get('to') ?? asDay(today + 89 * dayLength),
    ];
    const days = Array.from({ length: 180 }, (_, place) => place - 90)
      .map((distance) => ({ date: asDay(today + distance * dayLength), count: jobsOn(distance) }))
      .filter(({ date, count }) => from <= date && date <= to && count > 0);
    const jobs = days.flatMap(({ date, count }) =>
      Array.from({ length: count }, (_, place) => aJob(date, place)),
    );
    const first = (Number(query.get('page') ?? 1) - 1) * 500;
    const page = { jobs: jobs.slice(first, first + 500), more: jobs.length > first + 500 };
    const overdue = { count: 0, jobs: [] };
    const answer = { status: 'ok', timeZone: 'UTC', today: asDay(today), days, overdue };
    return route.fulfill({ json: { ...answer, ...page } });
  });
}

function aJob(date: string, place: number) {
  const hour = String(8 + (place % 10)).padStart(2, '0');
  return {
    ...{ id: `${date}-${place}`, type: 'Consumer', status: 'In progress', title: `Job ${place} of ${date}` },
    ...{
      isUrgent: place % 5 === 0,
      scheduledAt: `${date}T${hour}:00:00Z`,
      createdAt: '2026-01-01T00:00:00Z',
      noLongerNeededAt: null,
    },
    ...{ name: 'A', phone: '+61491570156', email: 'a@example.com', revision: 0 },
    location: { address: `${place} A Street, Brunswick VIC 3056`, placeId: null, lat: null, lng: null },
  };
}
