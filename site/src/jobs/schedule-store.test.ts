import { afterEach, expect, test, vi } from 'vitest';
import { queriesOf } from '#site/lib/http/queries.fixture.ts';
import { aCard } from './a-card.fixture.ts';
import { createSchedule, pageOf } from './schedule-store.ts';

const request = vi.fn();
const { schedule, scheduleRange } = createSchedule(queriesOf(request));

const answer = (timeZone: string, ...instants: string[]) => ({
  ...{ status: 'ok', today: '2026-04-05', timeZone, days: [{ date: '2026-04-05', count: instants.length }] },
  ...{ jobs: instants.map((scheduledAt) => aCard(scheduledAt, { scheduledAt })), more: false },
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each([
  ['Australia/Melbourne', '2026-04-04T13:00:00Z', '2026-04-05T13:30:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T13:00:00Z', '2026-04-05T13:00:00Z'],
  ['Pacific/Auckland', '2026-04-04T11:00:00Z', '2026-04-05T11:30:00Z'],
  ['Pacific/Chatham', '2026-04-04T10:15:00Z', '2026-04-05T11:00:00Z'],
])(
  'on the day that is an hour or a half longer in %s, jobs are on their own day',
  async (zone, first, last) => {
    vi.stubGlobal('navigator', { onLine: true });
    request.mockResolvedValueOnce(answer(zone, first, last));
    await schedule.refresh();
    expect(schedule.$state.get().data?.jobs).toEqual({ '2026-04-05': [first, last] });
  },
);

test('a range asks for its own days', async () => {
  request.mockResolvedValueOnce(answer('Australia/Melbourne'));
  const range = scheduleRange({ from: '2026-04-01', to: '2026-04-05' }, 2);
  await range.refresh();
  expect(request.mock.lastCall?.[1]).toBe('/jobs/schedule?from=2026-04-01&to=2026-04-05&page=2');
});

test('a block of a day that fills several pages is on the page that holds it', () => {
  expect([0, 480, 500, 1_020].map(pageOf)).toEqual([
    ...[
      { page: 1, before: 0 },
      { page: 1, before: 0 },
    ],
    ...[
      { page: 2, before: 500 },
      { page: 3, before: 1_000 },
    ],
  ]);
});
