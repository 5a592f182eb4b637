import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadBusiness } from '#api/accounts/load-account.ts';
import { historyOf } from '#api/jobs/history.ts';
import { loadJob } from '#api/jobs/load-job.ts';
import type { BusinessCommand } from '#core/business/commands.ts';
import { businessDecider } from '#core/business/decider.ts';
import { eventTypes } from '#core/event-store/event-types.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { getProfile } from '#projections/accounts/read.ts';
import { getJobDetails } from '#projections/jobs/details.ts';
import { countJobs, listJobCards } from '#projections/jobs/list.ts';
import { getPublicForm } from '#projections/public-form/read.ts';
import beforeBusinessWords from '#tests/event-store/golden-logs/before-business-words.json' with {
  type: 'json',
};
import firstVersions from '#tests/event-store/golden-logs/first-versions.json' with { type: 'json' };
import { openGoldenLog } from '#tests/support/log/histories.ts';

type Opened = Awaited<ReturnType<typeof openGoldenLog>>;

async function typesAndVersions({ store }: Opened) {
  const read = await store.readAll('0', 1_000);
  return {
    unreadable: read.flatMap(({ unreadable }) => unreadable ?? []),
    schemas: [...new Set(read.map(({ schema }) => schema))].toSorted(),
    types: [...new Set(read.map(({ type }) => type))].toSorted(),
  };
}

async function decide({ store }: Opened, businessId: string, command: Omit<BusinessCommand, 'at'>) {
  const cause = { commandId: crypto.randomUUID(), actor: 'system', correlation: 'test' };
  const now = { ...command, at: '2026-11-23T00:00:00.000Z' } as BusinessCommand;
  await handleCommand(store, businessDecider, `business-${businessId}`, now, cause);
}

// A whole log as the release of 22 November 2026 stored it, the last one with addresses and areas in the clear: two
// businesses that registered, one that moved its address and got a job, and a draft that was left.
describe('a log of first versions', () => {
  let log: Opened;
  let fenwickton: string;
  beforeAll(async () => {
    log = await openGoldenLog(firstVersions);
    const named = log.events.findLast(({ data }) => data['slug'] === 'fenwickton-plumbing');
    fenwickton = String(named?.data['businessId']);
  });
  afterAll(() => log?.close());

  test('reads to the last event, and every hash fits', async () => {
    expect(await typesAndVersions(log)).toMatchObject({ unreadable: [], schemas: [1] });
    expect(await log.audit()).toEqual({ checked: log.events.length, broken: null });
  });

  test('leads to what followed from it, rebuilt or read event by event', async () => {
    const { rebuilt, followed, differences } = await log.readBothWays();
    expect(followed).toEqual(rebuilt);
    expect(differences).toEqual([]);
    expect(await getPublicForm(log.pool, 'fenwickton-plumbing')).toMatchObject({
      businessId: fenwickton,
      form: { name: 'Fenwickton Plumbing', theme: '#5053AE', intro: 'Pipes since 1998' },
    });
    expect(await getPublicForm(log.pool, 'kowhai-cleaning')).not.toBeNull();
  });

  test('has its businesses where they were', async () => {
    expect(await loadBusiness(log, fenwickton)).toMatchObject({
      ...{ slug: 'fenwickton-plumbing', theme: '#5053AE' },
      coverage: { lat: -42.88, lng: 147.33, radius: 20_000 },
    });
  });

  test('goes on in events of today, which hold the address under its key', async () => {
    const data = { businessId: fenwickton, slug: 'fenwickton-drains' };
    await decide(log, fenwickton, { type: 'ChangePublicAddress', data });
    const { rows } = await log.pool.query<{ type: string; stored: string }>(
      'select type, row_to_json(e)::text as stored from event_store.events e order by pos desc limit 1',
    );
    expect(rows[0]?.type).toBe('PublicAddressChanged');
    expect(rows[0]?.stored).not.toContain('fenwickton');
    expect((await loadBusiness(log, fenwickton))?.slug).toBe('fenwickton-drains');
    const whole = { checked: log.events.length + 1, broken: null };
    expect(await log.audit()).toEqual(whole);

    const erased = await log.erase(`business-${fenwickton}`);
    expect((await loadBusiness(erased, fenwickton))?.slug).toBe('[erased]');
    await erased.close();
    expect(await log.audit()).toEqual(whole);
  });
});

// One event at least of every type that the release at commit a681311 stored, the last one that wrote BusinessBranded and
// RegistrationSaved, and what that release answered from it.
describe('a log of before business words', () => {
  const { now: recordedAt, forms, profiles, lists, jobs } = beforeBusinessWords.answers;
  const [wattle = '', kowhai = ''] = lists.map(({ businessId }) => businessId);
  let log: Opened;
  beforeAll(async () => {
    log = await openGoldenLog(beforeBusinessWords);
  });
  afterAll(() => log?.close());

  test('reads to the last event, and every hash fits', async () => {
    const { types, ...read } = await typesAndVersions(log);
    expect(read).toEqual({ unreadable: [], schemas: [1, 2] });
    expect(types).toContain('BusinessBranded');
    const known = Object.values(eventTypes).flatMap((declared) => Object.keys(declared));
    expect(types.filter((type) => !known.includes(type))).toEqual([]);
    expect(await log.audit()).toEqual({ checked: log.events.length, broken: null });
  });

  test('leads to the same rows, rebuilt or read event by event', async () => {
    const { rebuilt, followed, differences } = await log.readBothWays();
    expect(followed).toEqual(rebuilt);
    expect(differences).toEqual([]);
  });

  test('is answered as the release answered that wrote it', async () => {
    const addresses = ['wattle-plumbing', 'wattle-drains', 'kowhai-cleaning', 'kowhai-homes'];
    const found = await Promise.all(addresses.map((slug) => getPublicForm(log.pool, slug)));
    expect(found.map((one) => one && { ...one, form: { ...one.form, questions: askedIn(one) } })).toEqual(
      forms,
    );
    const accounts = profiles.map(({ accountId }) => getProfile(log.pool, accountId));
    // That release did not answer where the tradie starts from, and knew no closing.
    expect(
      (await Promise.all(accounts)).map((one) => one && { ...one, base: undefined, closesAt: undefined }),
    ).toEqual(profiles);
    for (const { businessId, timeZone, ...list } of lists) {
      const query = { businessId, timeZone, now: new Date(recordedAt) };
      // Nor how many pictures a job has, or the words of a request on its card.
      const jobs = (await listJobCards(log.pool, query)).jobs.map(
        ({ pictures: _, words: __, preferredTime: ___, ...job }) => job,
      );
      expect({ jobs, counts: (await countJobs(log.pool, query)).count }).toEqual(list);
    }
  });

  test.each(jobs.map((job) => [job.details.title, job] as const))(
    'has the job “%s” as it was, with its history',
    async (_, { details, history }) => {
      const { id, businessId } = details;
      // Fields that came later are read besides.
      expect(await getJobDetails(log.pool, businessId, id)).toMatchObject(details);
      const loaded = await loadJob(log, businessId, id);
      const timeZone = lists.find((list) => list.businessId === businessId)?.timeZone ?? 'UTC';
      const entries = await historyOf({ db: log.pool }, loaded, { timeZone });
      // Nor how many photos came with a request: that stands behind its entry now, and nowhere else.
      const pictures = details.media.filter(({ mime }) => mime.startsWith('image/')).length;
      const photos = pictures === 0 ? '' : `, with ${pictures} ${pictures === 1 ? 'photo' : 'photos'}`;
      const asked = history.map((text) => (text.endsWith(' asked for this job') ? `${text}${photos}` : text));
      expect(entries.map(({ text }) => text)).toEqual(asked);
    },
  );

  test('goes on in events of today, each of which changes one thing', async () => {
    const before = await loadBusiness(log, wattle);
    expect(before).toMatchObject({ slug: 'wattle-drains', theme: '#5053AE', logo: 'logo-2' });
    await decide(log, wattle, { type: 'ChangeTheme', data: { businessId: wattle, theme: '#1D1B1B' } });
    expect(await loadBusiness(log, wattle)).toEqual({ ...before, theme: '#1D1B1B' });
    await decide(log, wattle, { type: 'ChangePlan', data: { businessId: wattle, plan: 'starter' } });
    expect(await loadBusiness(log, wattle)).toEqual({
      ...{ ...before, theme: '#1D1B1B', plan: 'starter', logo: null },
    });
    const last = await log.store.readStream(`business-${wattle}`);
    expect(last.slice(-3).map(({ type }) => type)).toEqual(['ThemeChanged', 'PlanChanged', 'LogoRemoved']);
    const { rebuilt, followed, differences } = await log.readBothWays();
    expect(followed).toEqual(rebuilt);
    expect(differences).toEqual([]);
    expect(await log.audit()).toEqual({ checked: log.events.length + 3, broken: null });
  });

  test('forgets an address with the key of its business', async () => {
    const erased = await log.erase(`business-${kowhai}`);
    expect(await loadBusiness(erased, kowhai)).toMatchObject({
      slug: '[erased]',
      name: 'Kowhai Cleaning Limited',
    });
    await erased.close();
  });
});

function askedIn({ form }: NonNullable<Awaited<ReturnType<typeof getPublicForm>>>): string[] {
  return form.questions.map(({ id }) => id);
}
