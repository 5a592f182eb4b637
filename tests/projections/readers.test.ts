import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#core/postgres/transaction.ts';
import { getProfile } from '#projections/accounts/read.ts';
import { getJobDetails } from '#projections/jobs/details.ts';
import { getPublicForm } from '#projections/public-form/read.ts';
import { projections } from '#projections/registry.ts';
import { liveBuild } from '#projections/runtime/build.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import {
  aJob,
  at,
  brunswick,
  customers,
  eventsOf,
  ponsonby,
  record,
  registration,
  type StreamEvent,
} from '#tests/support/scenarios/events.ts';

const { businessId, accountId } = brunswick;
const history: StreamEvent[] = [...registration(brunswick), ...registration(ponsonby)];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** Adds to the history and delivers all of it again, twice. */
async function given(...streamEvents: StreamEvent[]): Promise<void> {
  history.push(...streamEvents);
  const events = record(history);
  for (const projection of [...projections, ...projections]) {
    const { table } = liveBuild(projection);
    await inTransaction(database.pool, (db) => projection.apply(db, table, events));
  }
}

test('the details of a job are all that is known of it, for its own business', async () => {
  const job = aJob('lygon', brunswick, customers[1]);
  await given(
    job.requested(),
    job.accepted(),
    job.scheduled('2026-11-18T22:30:00.000Z'),
    job.noted('Ring first'),
  );
  const streamEvents = await getJobDetails(database.pool, businessId, 'lygon');
  const { requestedAt, ...asked } = job.requested().event.data as Record<string, unknown>;
  const { jobId, ...told } = asked;
  expect(streamEvents).toEqual({
    ...told,
    ...{ id: jobId, type: 'Consumer', status: 'To quote', createdAt: requestedAt, notes: 'Ring first' },
    ...{ scheduledAt: '2026-11-18T22:30:00.000Z', revision: 3 },
    ...{
      openedAt: requestedAt,
      unsentFiles: 0,
      noLongerNeededAt: null,
      heldFor: null,
      erasureDueAt: null,
      removalAskedAt: null,
      keptUntil: null,
      erasedAt: null,
    },
  });
  expect(await getJobDetails(database.pool, ponsonby.businessId, 'lygon')).toBeNull();
  expect(await getJobDetails(database.pool, businessId, "unknown' or 1=1")).toBeNull();
});

test('a profile is the account with its business', async () => {
  await given();
  expect(await getProfile(database.pool, accountId)).toEqual({
    ...{ accountId, businessId, onboarding: true, region: 'au', plan: 'starter' },
    ...{ emailConfirmed: true, showsPhone: false },
    user: {
      ...{ firstName: 'Dave', lastName: 'Citizen' },
      ...{ email: 'account-dave@example.com', phone: '+61491570158' },
    },
    ...{ timeZone: 'Australia/Melbourne', slug: 'brunswick-plumbing', theme: '#5C9B61', logo: null },
    ...{ intro: 'Blocked drains and hot water.', bn: '51824753556' },
    ...{ name: 'Brunswick Plumbing Pty Ltd', tradingName: 'Brunswick Plumbing' },
    base: { lat: -37.77, lng: 144.96 },
    closesAt: null,
  });
  await given(eventsOf(brunswick).account('OnboardingFinished', { finishedAt: at }));
  expect((await getProfile(database.pool, accountId))?.onboarding).toBe(false);
  expect((await getProfile(database.pool, ponsonby.accountId))?.onboarding).toBe(true);
  expect(await getProfile(database.pool, 'nobody')).toBeNull();
});

test('a profile says whether the email is confirmed and whether customers see a phone', async () => {
  const { account, business } = eventsOf(brunswick);
  const flags = async () => {
    const { emailConfirmed, showsPhone } = (await getProfile(database.pool, accountId)) ?? {};
    return [emailConfirmed, showsPhone];
  };
  const published = { accountId, email: null, publishedAt: at };
  await given(
    account('EmailConfirmationAwaited', { awaitedAt: at }),
    business('BusinessContactPublished', { ...published, phone: '+61491570158' }),
  );
  expect(await flags()).toEqual([false, true]);
  await given(
    account('AccountEmailConfirmed', { confirmedAt: at }),
    business('BusinessContactPublished', { ...published, phone: null }),
  );
  expect(await flags()).toEqual([true, false]);
  await given(
    account('EmailConfirmationAwaited', { awaitedAt: at }),
    account('AccountEmailChanged', { email: 'dave@else.example', changedAt: at }),
  );
  expect((await flags())[0]).toBe(true);
});

test('a public form shows what its business chose, and asks what it ticked', async () => {
  await given();
  const before = await getPublicForm(database.pool, 'brunswick-plumbing');
  expect(before).toMatchObject({
    businessId,
    form: {
      ...{ slug: 'brunswick-plumbing', name: 'Brunswick Plumbing', tagline: 'Since 1998', region: 'au' },
      ...{ theme: '#5C9B61', logoUrl: null, contact: { phone: null, email: null } },
    },
  });
  expect(before?.form.questions.map(({ id }) => id)).toEqual(['home-type', 'pets']);
  const { business, form } = eventsOf(brunswick);
  const added = { questionId: 'own-1', trade: 'plumbing', question: 'Gas or electric?', seq: 1, addedAt: at };
  await given(
    form('QuestionDisabled', { questionId: 'pets', disabledAt: at }),
    form('QuestionEnabled', { questionId: 'budget', enabledAt: at }),
    form('QuestionAdded', added),
    business('BusinessContactPublished', { accountId, phone: '+61491570158', email: null, publishedAt: at }),
  );
  const after = await getPublicForm(database.pool, 'brunswick-plumbing');
  expect(after?.form.questions.map(({ id }) => id)).toEqual(['home-type', 'budget', 'own-1']);
  expect(after?.form.contact).toEqual({ phone: '+61491570158', email: null });
  expect((await getPublicForm(database.pool, 'ponsonby-sparks'))?.form.questions).toHaveLength(2);
  const reworded = {
    questionId: 'own-1',
    newId: 'own-2',
    question: 'Gas, electric or heat pump?',
    rewordedAt: at,
  };
  await given(form('QuestionReworded', reworded));
  const asked = async () => (await getPublicForm(database.pool, 'brunswick-plumbing'))?.form.questions.at(-1);
  expect(await asked()).toMatchObject({ id: 'own-2', title: 'Gas, electric or heat pump?' });
  await given(form('QuestionRemoved', { questionId: 'own-2', removedAt: at }));
  expect((await asked())?.id).toBe('budget');
});

test('a business that moved to another address is found there alone', async () => {
  const { business } = eventsOf(ponsonby);
  await given(
    business('PublicAddressChanged', { slug: 'jervois-sparks', changedAt: at }),
    business('LogoChanged', { logo: 'logo-7', changedAt: at }),
  );
  expect(await getPublicForm(database.pool, 'ponsonby-sparks')).toBeNull();
  expect((await getPublicForm(database.pool, 'jervois-sparks'))?.form.logoUrl).toBe('/logos/logo-7');
});
