import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { aNewJob, slot } from '#tests/support/scenarios/job-requests.ts';

let app: TestApp;
let acme: SignedIn;
let ahead = 0;
beforeAll(async () => {
  app = await testApp({ now: () => new Date(Date.now() + ahead) });
  acme = await app.signIn();
});
afterAll(() => app.close());

const date = (days: number) =>
  Temporal.Now.zonedDateTimeISO('Australia/Melbourne').toPlainDate().add({ days }).toString();
const add = async (scheduledAt: string) => (await acme.post('/api/jobs', aNewJob({ scheduledAt }))).body.job;
const schedule = async (query = '') => (await acme.get(`/api/jobs/schedule${query}`)).body;

test('shows the days that have jobs, how many, and their cards in order', async () => {
  const [late, early, next] = [
    await add(slot(2, '15:00')),
    await add(slot(2, '09:00')),
    await add(slot(3, '08:00')),
  ];
  const body = await schedule(`?from=${date(2)}&to=${date(3)}`);
  expect(body).toMatchObject({ today: date(0), timeZone: 'Australia/Melbourne', more: false });
  expect(body.days).toEqual([
    { date: date(2), count: 2 },
    { date: date(3), count: 1 },
  ]);
  expect(body.jobs.map(({ id }: { id: string }) => id)).toEqual([early.id, late.id, next.id]);
  expect((await schedule(`?from=${date(2)}&to=${date(2)}`)).days).toEqual([{ date: date(2), count: 2 }]);
  expect((await schedule()).days).toEqual(body.days);
  expect((await schedule('?ahead=3')).days).toEqual([{ date: date(2), count: 2 }]);
  expect((await schedule('?limit=2&page=2')).jobs).toMatchObject([{ id: next.id }]);
  expect(await schedule('?page=2')).toMatchObject({ days: body.days, jobs: [], more: false });
});

test('keeps at hand what its day went by without', async () => {
  const job = await add(slot(1, '08:00'));
  expect((await schedule()).overdue.count).toBe(0);
  ahead = 2 * 86_400_000;
  try {
    const { token } = (
      await app.post('/api/authenticate/login', { email: acme.email, password: acme.password })
    ).body;
    const later = app.as({ authorization: `Bearer ${token}` });
    const overdue = async () => (await later.get('/api/jobs/schedule')).body.overdue;
    expect(await overdue()).toMatchObject({ count: 1, jobs: [{ id: job.id, status: 'To quote' }] });
    await later.put(`/api/jobs/${job.id}`, { status: 'Completed' });
    expect(await overdue()).toEqual({ count: 0, jobs: [] });
  } finally {
    ahead = 0;
  }
});

describe('days that cannot be shown', () => {
  test.each([
    `?from=${date(0)}`,
    `?from=${date(1)}&to=${date(0)}`,
    `?from=${date(0)}&to=${date(180)}`,
    '?from=2026-02-30&to=2026-03-01',
    '?from=tomorrow&to=2026-03-01',
    `?from=${date(0)}&to=${date(1)}&status=Paid`,
    `?from=${date(0)}&to=${date(1)}&ahead=2`,
    ...['?ahead=0', '?ahead=181', '?ahead=two', '?page=0', '?page=201', '?page=1.5', '?limit=501'],
  ])('%s', async (query) => {
    expect((await acme.get(`/api/jobs/schedule${query}`)).status).toBe(422);
  });

  test('are named with what they may be', async () => {
    const { body } = await acme.get(`/api/jobs/schedule?from=${date(1)}&to=${date(0)}`);
    const days = 'Two days as YYYY-MM-DD, at most 180 days in all';
    expect(body).toMatchObject({ message: 'These days cannot be shown', fields: { from: days, to: days } });
    const { fields } = (await acme.get('/api/jobs/schedule?page=0&ahead=181')).body;
    expect(fields).toEqual({
      page: 'From 1 to 200',
      ahead: 'From 1 to 180 days from today on, without other days',
    });
  });

  test('are no 180 of them', async () => {
    expect((await acme.get(`/api/jobs/schedule?from=${date(0)}&to=${date(179)}`)).status).toBe(200);
  });
});
