import fc from 'fast-check';
import type { Pool } from 'pg';
import { heldReasons, jobStatuses, type WorkingStatus, workingStatuses } from '#core/job/status/statuses.ts';
import { projections } from '#projections/registry.ts';
import { liveBuild } from '#projections/runtime/build.ts';
import {
  aJob,
  at,
  brunswick,
  customers,
  eventsOf,
  ponsonby,
  registration,
  type StreamEvent,
} from '#tests/support/scenarios/events.ts';

/** Each table of each read model with the name that its present version goes by, quoted, with schema. */
const readModelTables = projections.flatMap((projection) =>
  projection.tables.map(({ name }) => ({ table: name, live: liveBuild(projection).table(name) })),
);

/** Every row of every read model, generated columns included, in a fixed order. */
export async function dumpReadModels(pool: Pool): Promise<Record<string, unknown[]>> {
  const dump: Record<string, unknown[]> = {};
  for (const { table, live } of readModelTables) {
    const { rows } = await pool.query(
      `select to_jsonb(t) as row from ${live} as t order by to_jsonb(t)::text collate "C"`,
    );
    dump[table] = rows.map(({ row }) => row);
  }
  return dump;
}

/** Empties the read models, checkpoints and all. */
export async function clearReadModels(pool: Pool): Promise<void> {
  const tables = [...readModelTables.map(({ live }) => live), 'read.checkpoints', 'read.projection_parked'];
  await pool.query(tables.map((table) => `delete from ${table}`).join('; '));
}

/** Four jobs, two of each business. */
const jobs = [
  aJob('job-lygon', brunswick, customers[0]),
  aJob('job-weston', brunswick, customers[1]),
  aJob('job-jervois', ponsonby, customers[2]),
  aJob('job-franklin', ponsonby, customers[3]),
] as const;

const schedules = fc.constantFrom(null, '2026-11-17T22:30:00.000Z', '2026-11-18T09:00:00.000Z');
const statuses = fc.constantFrom(
  ...workingStatuses.filter((status): status is Exclude<WorkingStatus, 'Unsuccessful'> => {
    return status !== 'Unsuccessful';
  }),
);
const notes = fc.constantFrom('', 'Ring first', 'Ladder %_\\ needed', '“Quoted” 電話 🛠');

const customersFiles = [
  { id: 'file-tap', name: 'tap.jpg', mime: 'image/jpeg', bytes: 2_000 },
  { id: 'file-plan', name: 'plan.pdf', mime: 'application/pdf', bytes: 3_000 },
];
const photos = fc.constantFrom('photo-1', 'photo-2');

type Job = (typeof jobs)[number];
type Step = Readonly<{ open: (job: Job) => StreamEvent; go: (job: Job) => StreamEvent }>;

const openers: fc.Arbitrary<Step['open']> = fc.oneof(
  fc.constant((job: Job) => job.requested()),
  fc.constant((job: Job) => job.requested({ media: customersFiles })),
  schedules.map((scheduledAt) => (job: Job) => job.workOrder({ scheduledAt })),
  schedules.map((scheduledAt) => (job: Job) => job.added({ scheduledAt })),
);

const moves: fc.Arbitrary<Step['go']> = fc.oneof(
  fc.constant((job: Job) => job.accepted()),
  fc.constant((job: Job) => job.rejected()),
  fc.constantFrom(...heldReasons).map((heldFor) => (job: Job) => job.held(heldFor)),
  fc.constant((job: Job) => job.unsuccessful()),
  schedules.map((scheduledAt) => (job: Job) => job.scheduled(scheduledAt)),
  statuses.map((status) => (job: Job) => job.moved(status)),
  notes.map((text) => (job: Job) => job.noted(text)),
  fc.constantFrom(...jobStatuses).map((status) => (job: Job) => job.restoredStatus(status)),
  schedules.map((scheduledAt) => (job: Job) => job.restoredSchedule(scheduledAt)),
  notes.map((text) => (job: Job) => job.restoredNotes(text)),
  fc.constant((job: Job) => job.messaged()),
  photos.map((photoId) => (job: Job) => job.photographed(photoId)),
  photos.map((photoId) => (job: Job) => job.photoRemoved(photoId)),
  fc.constant((job: Job) => job.opened()),
  fc.constant((job: Job) => job.notNeeded()),
  notes.map((text) => (job: Job) => job.correctionAsked(text)),
  fc.constant((job: Job) => job.correctionAnswered(1, 'refused')),
  fc.constant((job: Job) => job.removalAsked()),
  fc.constant((job: Job) => job.removalRefused('2033-11-16T21:30:00.000Z')),
  fc.constant((job: Job) => job.erasurePlanned()),
  fc.constant((job: Job) => job.erasureCancelled()),
  fc.constant((job: Job) => job.customerErased()),
);

const businessSteps = fc.constantFrom(brunswick, ponsonby).chain((tenant) => {
  const { accountId, slug } = tenant;
  const erasureId = 'erasure-1';
  const { business, account, form } = eventsOf(tenant);
  return fc.constantFrom(
    business('BusinessIntroduced', { accountId, intro: 'Switchboards', introducedAt: at }),
    business('BusinessContactPublished', { accountId, phone: '+61491570158', email: null, publishedAt: at }),
    business('BusinessDetailsChanged', {
      ...{ accountId, bn: '51824753556', name: 'Citizen Trades' },
      ...{ tradingName: 'Citizen & Daughter', changedAt: at },
    }),
    business('ServiceAreaChanged', {
      ...{ accountId, coverage: { lat: -31.95, lng: 115.86, radius: 20_000 }, changedAt: at },
    }),
    business('TaglineChanged', { accountId, tagline: 'Roofers, Perth WA', changedAt: at }),
    business('TimeZoneChanged', { timeZone: 'Australia/Perth', changedAt: at }),
    form('TradesChanged', { trades: ['roofing'], changedAt: at }),
    business('PlanChanged', { plan: 'pro', changedAt: at }),
    business('PublicAddressChanged', { slug: `${slug}-3`, changedAt: at }),
    business('ThemeChanged', { theme: '#1D1B1B', changedAt: at }),
    business('LogoChanged', { logo: 'logo-2', changedAt: at }),
    business('LogoRemoved', { reason: 'owner', removedAt: at }),
    business('BusinessExported', { accountId, position: '12', exportedAt: at }),
    business('BusinessClosurePlanned', { erasureId, dueAt: at, plannedAt: at }),
    business('BusinessClosureCancelled', { erasureId, cancelledAt: at }),
    business('BusinessClosed', { erasureId, closedAt: at }),
    account('AccountErased', { erasureId, erasedAt: at }),
    form('EnquiryFormClosed', { erasureId, closedAt: at }),
    business('RetentionPeriodChanged', { years: 9, changedAt: at }),
    business('BusinessHoldPlaced', {
      until: '2027-05-20T00:00:00.000Z',
      reason: 'Court order',
      placedAt: at,
    }),
    business('BusinessHoldEnded', { endedAt: at }),
    account('EmailConfirmationAwaited', { awaitedAt: at }),
    account('AccountEmailConfirmed', { confirmedAt: at }),
    account('OnboardingFinished', { finishedAt: at }),
    account('AccountRenamed', { firstName: 'Aroha', lastName: 'Ngata', renamedAt: at }),
    account('AccountEmailChanged', { email: `aroha@${slug}.example`, changedAt: at }),
    account('AccountPhoneChanged', { phone: '+64211234567', changedAt: at }),
    form('QuestionEnabled', { questionId: 'budget', enabledAt: at }),
    form('QuestionDisabled', { questionId: 'pets', disabledAt: at }),
    form('QuestionAdded', {
      questionId: 'own-1',
      trade: null,
      question: 'Who lets us in?',
      seq: 9,
      addedAt: at,
    }),
    form('QuestionReworded', {
      questionId: 'own-1',
      newId: 'own-2',
      question: 'Is there a key?',
      rewordedAt: at,
    }),
    form('QuestionRemoved', { questionId: 'own-2', removedAt: at }),
  );
});

/** Any history of two businesses and their four jobs: whatever may follow in a stream does, in any order. */
export const anyHistory: fc.Arbitrary<StreamEvent[]> = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: fc.record({ job: fc.constantFrom(...jobs), open: openers, go: moves }) },
      { weight: 1, arbitrary: businessSteps },
    ),
    { maxLength: 40 },
  )
  .map((steps) => {
    const opened = new Set<Job>();
    const streamEvents = steps.map((step) => {
      if ('event' in step) return step;
      const { job, open, go } = step;
      if (opened.has(job)) return go(job);
      opened.add(job);
      return open(job);
    });
    return [...registration(brunswick), ...registration(ponsonby), ...streamEvents];
  });
