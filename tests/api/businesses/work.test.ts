import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { aNewJob } from '#tests/support/scenarios/job-requests.ts';

let api: TestApp;
let acme: SignedIn;
beforeAll(async () => {
  api = await testApp();
  acme = await api.signIn();
});
afterAll(() => api?.close());

const publicForm = async () => (await api.get(`/api/public-forms/${acme.slug}`)).body.form;

test('other trades change what the form asks and what stands under the name', async () => {
  const before = await acme.get('/api/settings/trades');
  expect(before.body.trades.map(({ id }: { id: string }) => id)).toContain('plumbing');
  const changed = await acme.put('/api/settings/trades', { trades: ['roofing', 'guttering'] });
  expect(changed.status).toBe(200);
  expect(changed.body.trades.map(({ id }: { id: string }) => id)).toEqual(['roofing', 'guttering']);
  expect((await acme.get('/api/settings/trades')).body.trades).toEqual(changed.body.trades);
  const { trades, tagline, questions } = await publicForm();
  expect(trades).toHaveLength(2);
  expect(trades[0]).toMatch(/^Roof/);
  expect(tagline).toMatch(/^Roofers/);
  expect(questions.some(({ trade }: { trade: string | null }) => trade === 'plumbing')).toBe(false);
  expect((await acme.put('/api/settings/trades', { trades: ['alchemy'] })).status).toBe(422);
});

test('another area moves the base, the line under the name and nothing else', async () => {
  const { body } = await acme.get('/api/settings/area');
  const perth = { lat: -31.95, lng: 115.86, radius: 30_000 };
  const moved = await acme.put('/api/settings/area', perth);
  expect(moved.body).toMatchObject({
    area: perth,
    timeZone: body.timeZone,
    zoneThere: 'Australia/Perth',
    user: { base: { lat: perth.lat, lng: perth.lng }, timeZone: body.timeZone },
  });
  expect((await acme.get('/api/authenticate')).body.user.base).toEqual({ lat: perth.lat, lng: perth.lng });
  expect((await publicForm()).tagline).toMatch(/^Roofers, .+ WA$/);
  expect((await acme.put('/api/settings/area', { ...perth, radius: 200_000 })).status).toBe(422);
});

test('another zone keeps every instant and moves the day that it falls on', async () => {
  const scheduledAt = nextSlot('Australia/Melbourne', '08:00');
  const added = await acme.post('/api/jobs', aNewJob({ title: 'Roof leak', scheduledAt }));
  expect(added.status).toBe(200);
  const { id } = added.body.job;
  const before = await acme.get('/api/jobs/schedule?ahead=60');
  expect(before.body.timeZone).toBe('Australia/Melbourne');
  const changed = await acme.put('/api/settings/time-zone', { timeZone: 'Australia/Perth' });
  expect(changed.body).toMatchObject({ timeZone: 'Australia/Perth', user: { timeZone: 'Australia/Perth' } });
  const after = await acme.get('/api/jobs/schedule?ahead=60');
  expect(after.body.timeZone).toBe('Australia/Perth');
  expect((await acme.get(`/api/jobs/${id}`)).body.job.scheduledAt).toBe(scheduledAt);
  // The notes of a job whose time is no slot of the new zone are saved as ever.
  const saved = await acme.put(`/api/jobs/${id}`, { notes: 'Ladder', scheduledAt });
  expect(saved.status).toBe(200);
  expect(saved.body.job.scheduledAt).toBe(scheduledAt);
  expect((await acme.put('/api/settings/time-zone', { timeZone: 'Europe/London' })).status).toBe(422);
});

function nextSlot(timeZone: string, plainTime: string): string {
  const day = api.deps.now().toTemporalInstant().toZonedDateTimeISO(timeZone).toPlainDate().add({ days: 2 });
  return new Date(day.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds).toISOString();
}
