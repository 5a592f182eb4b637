import fc from 'fast-check';
import { heldReasons, jobStatuses, type WorkingStatus, workingStatuses } from '#core/job/statuses.ts';
import {
  accountEventOf,
  aJob,
  at,
  brunswick,
  businessEventOf,
  customers,
  formEventOf,
  ponsonby,
  registration,
  type StreamEvent,
} from './events.ts';

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
  const { businessId, accountId } = tenant;
  return fc.constantFrom(
    businessEventOf(tenant, {
      type: 'BusinessIntroduced',
      data: { businessId, accountId, intro: 'Switchboards', introducedAt: at },
    }),
    businessEventOf(tenant, {
      type: 'BusinessContactPublished',
      data: { businessId, accountId, phone: '+61491570158', email: null, publishedAt: at },
    }),
    businessEventOf(tenant, {
      type: 'BusinessDetailsChanged',
      data: {
        ...{ businessId, accountId, bn: '51824753556', name: 'Citizen Trades' },
        ...{ tradingName: 'Citizen & Daughter', changedAt: at },
      },
    }),
    businessEventOf(tenant, { type: 'PlanChanged', data: { businessId, plan: 'pro', changedAt: at } }),
    businessEventOf(tenant, {
      type: 'PublicAddressChanged',
      data: { businessId, slug: `${tenant.slug}-3`, changedAt: at },
    }),
    businessEventOf(tenant, { type: 'ThemeChanged', data: { businessId, theme: '#1D1B1B', changedAt: at } }),
    businessEventOf(tenant, { type: 'LogoChanged', data: { businessId, logo: 'logo-2', changedAt: at } }),
    businessEventOf(tenant, { type: 'LogoRemoved', data: { businessId, reason: 'owner', removedAt: at } }),
    businessEventOf(tenant, {
      type: 'BusinessBranded',
      data: { businessId, slug: `${tenant.slug}-2`, theme: '#C21313', logo: 'logo-1', brandedAt: at },
    }),
    businessEventOf(tenant, {
      type: 'BusinessExported',
      data: { businessId, accountId, position: '12', exportedAt: at },
    }),
    businessEventOf(tenant, {
      type: 'BusinessClosurePlanned',
      data: { businessId, erasureId: 'erasure-1', dueAt: at, plannedAt: at },
    }),
    businessEventOf(tenant, {
      type: 'BusinessClosureCancelled',
      data: { businessId, erasureId: 'erasure-1', cancelledAt: at },
    }),
    businessEventOf(tenant, {
      type: 'BusinessClosed',
      data: { businessId, erasureId: 'erasure-1', closedAt: at },
    }),
    accountEventOf(tenant, {
      type: 'AccountErased',
      data: { accountId, erasureId: 'erasure-1', erasedAt: at },
    }),
    formEventOf(tenant, {
      type: 'EnquiryFormClosed',
      data: { businessId, erasureId: 'erasure-1', closedAt: at },
    }),
    businessEventOf(tenant, {
      type: 'RetentionPeriodChanged',
      data: { businessId, years: 9, changedAt: at },
    }),
    businessEventOf(tenant, {
      type: 'BusinessHoldPlaced',
      data: { businessId, until: '2027-05-20T00:00:00.000Z', reason: 'Court order', placedAt: at },
    }),
    businessEventOf(tenant, { type: 'BusinessHoldEnded', data: { businessId, endedAt: at } }),
    accountEventOf(tenant, { type: 'EmailConfirmationAwaited', data: { accountId, awaitedAt: at } }),
    accountEventOf(tenant, { type: 'AccountEmailConfirmed', data: { accountId, confirmedAt: at } }),
    accountEventOf(tenant, { type: 'OnboardingFinished', data: { accountId, finishedAt: at } }),
    accountEventOf(tenant, {
      type: 'AccountRenamed',
      data: { accountId, firstName: 'Aroha', lastName: 'Ngata', renamedAt: at },
    }),
    accountEventOf(tenant, {
      type: 'AccountEmailChanged',
      data: { accountId, email: `aroha@${tenant.slug}.example`, changedAt: at },
    }),
    accountEventOf(tenant, {
      type: 'AccountPhoneChanged',
      data: { accountId, phone: '+64211234567', changedAt: at },
    }),
    formEventOf(tenant, {
      type: 'QuestionEnabled',
      data: { businessId, questionId: 'budget', enabledAt: at },
    }),
    formEventOf(tenant, {
      type: 'QuestionDisabled',
      data: { businessId, questionId: 'pets', disabledAt: at },
    }),
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
