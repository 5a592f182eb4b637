import { afterAll, beforeAll, expect, test } from 'vitest';
import { clockGauges, isClockTrusted } from '#api/privacy/clock-trust.ts';
import { requestErasure } from '#api/privacy/request-erasure.ts';
import { createChores, erasingChore } from '#api/rooms.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { erasing } from '#tests/support/scenarios/erasing.ts';
import { requestedJob } from '#tests/support/scenarios/job-requests.ts';

const DAY = 86_400_000;
const errors: string[] = [];
let api: TestApp;
let acme: SignedIn;
/** What the database's clock said at the beginning: the only one that cannot be set here. */
let begin: Date;
let ahead = 0;

beforeAll(async () => {
  api = await testApp({ now: () => new Date((begin?.getTime() ?? 0) + ahead) });
  begin = (await api.everyRow.query<{ at: Date }>('select clock_timestamp() as at')).rows[0]?.at as Date;
  acme = await api.signIn();
});
afterAll(() => api?.close());

const deps = () => {
  const { deps: made } = erasing(api);
  const error = (line: object) => errors.push(JSON.stringify(line));
  return { ...made, logger: { ...made.logger, error: error as typeof made.logger.error } };
};
const seen = (daysAgo: number) =>
  api.everyRow.query('update state.clock_seen set seen_at = $1', [new Date(begin.getTime() - daysAgo * DAY)]);

test('a clock that the database does not share, or that jumped, erases no one for a day', async () => {
  expect(await isClockTrusted(deps())).toBe(true);
  const jobId = await requestedJob(api, acme);
  const asked = { erasureId: crypto.randomUUID(), scope: 'jobs', basis: 'tradie', ids: [jobId] } as const;
  await requestErasure(deps(), { ...asked, businessId: acme.businessId });
  const erased = async () =>
    (await api.deps.store.readStream(streamName('job', jobId))).some(
      ({ type }) => type === 'JobCustomerErased',
    );
  const signal = new AbortController().signal;
  const chore = () => erasingChore.run({ ...api.deps, erasing: deps() }, signal);
  const retain = () =>
    createChores()
      .find(({ name }) => name === 'retain-nightly')
      ?.run({ ...api.deps, erasing: deps() }, signal);

  ahead = 8 * DAY;
  await chore();
  await retain();
  expect(await erased()).toBe(false);
  expect(errors.pop()).toContain('"event":"clock-doubted"');
  expect((await api.everyRow.query('select 1 from state.retention_runs')).rowCount).toBe(0);

  // As if both clocks had been set a week ahead since the last look.
  ahead = 0;
  await seen(8);
  await chore();
  expect(errors.pop()).toContain('"event":"clock-jumped"');
  expect(await isClockTrusted(deps())).toBe(false);
  expect(await clockGauges(api.deps)[0]?.read()).toEqual([{ labels: {}, value: 1 }]);
  await api.everyRow.query('update state.clock_seen set rests_until = $1', [begin]);
  expect(await isClockTrusted(deps())).toBe(true);
  // And had gone back.
  await seen(-1);
  expect(await isClockTrusted(deps())).toBe(false);
});
