import fc from 'fast-check';
import { jobStatuses, type WorkingStatus, workingStatuses } from '#core/job/statuses.ts';
import { heldReasons } from '#core/values/held-job.ts';
import {
  accountFact,
  aJob,
  at,
  brunswick,
  businessFact,
  customers,
  type Fact,
  formFact,
  ponsonby,
  registration,
} from './scenarios.ts';

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

type Job = (typeof jobs)[number];
type Step = Readonly<{ open: (job: Job) => Fact; go: (job: Job) => Fact }>;

const openers: fc.Arbitrary<Step['open']> = fc.oneof(
  fc.constant((job: Job) => job.requested()),
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
  fc.constant((job: Job) => job.opened()),
  fc.constant((job: Job) => job.notNeeded()),
);

const businessSteps = fc.constantFrom(brunswick, ponsonby).chain((tenant) => {
  const { businessId, accountId } = tenant;
  return fc.constantFrom(
    businessFact(tenant, {
      type: 'BusinessIntroduced',
      data: { businessId, accountId, intro: 'Switchboards', introducedAt: at },
    }),
    businessFact(tenant, {
      type: 'BusinessContactPublished',
      data: { businessId, accountId, phone: '+61491570158', email: null, publishedAt: at },
    }),
    businessFact(tenant, {
      type: 'BusinessDetailsChanged',
      data: {
        ...{ businessId, accountId, bn: '51824753556', name: 'Citizen Trades' },
        ...{ tradingName: 'Citizen & Daughter', changedAt: at },
      },
    }),
    businessFact(tenant, { type: 'PlanChanged', data: { businessId, plan: 'pro', changedAt: at } }),
    businessFact(tenant, {
      type: 'PublicAddressChanged',
      data: { businessId, slug: `${tenant.slug}-3`, changedAt: at },
    }),
    businessFact(tenant, { type: 'ThemeChanged', data: { businessId, theme: '#1D1B1B', changedAt: at } }),
    businessFact(tenant, { type: 'LogoChanged', data: { businessId, logo: 'logo-2', changedAt: at } }),
    businessFact(tenant, { type: 'LogoRemoved', data: { businessId, reason: 'owner', removedAt: at } }),
    businessFact(tenant, {
      type: 'BusinessBranded',
      data: { businessId, slug: `${tenant.slug}-2`, theme: '#C21313', logo: 'logo-1', brandedAt: at },
    }),
    accountFact(tenant, { type: 'EmailConfirmationAwaited', data: { accountId, awaitedAt: at } }),
    accountFact(tenant, { type: 'AccountEmailConfirmed', data: { accountId, confirmedAt: at } }),
    accountFact(tenant, { type: 'OnboardingFinished', data: { accountId, finishedAt: at } }),
    accountFact(tenant, {
      type: 'AccountRenamed',
      data: { accountId, firstName: 'Aroha', lastName: 'Ngata', renamedAt: at },
    }),
    accountFact(tenant, {
      type: 'AccountEmailChanged',
      data: { accountId, email: `aroha@${tenant.slug}.example`, changedAt: at },
    }),
    accountFact(tenant, {
      type: 'AccountPhoneChanged',
      data: { accountId, phone: '+64211234567', changedAt: at },
    }),
    formFact(tenant, {
      type: 'QuestionEnabled',
      data: { businessId, questionId: 'budget', enabledAt: at },
    }),
    formFact(tenant, { type: 'QuestionDisabled', data: { businessId, questionId: 'pets', disabledAt: at } }),
  );
});

/** Any history of two businesses and their four jobs: whatever may follow in a stream does, in any order. */
export const anyHistory: fc.Arbitrary<Fact[]> = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: fc.record({ job: fc.constantFrom(...jobs), open: openers, go: moves }) },
      { weight: 1, arbitrary: businessSteps },
    ),
    { maxLength: 40 },
  )
  .map((steps) => {
    const opened = new Set<Job>();
    const facts = steps.map((step) => {
      if ('event' in step) return step;
      const { job, open, go } = step;
      if (opened.has(job)) return go(job);
      opened.add(job);
      return open(job);
    });
    return [...registration(brunswick), ...registration(ponsonby), ...facts];
  });
