import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { storeLogo } from '#api/businesses/change-branding.ts';
import { keepLogo } from '#api/businesses/stored-files.ts';
import type { Clock, Database, Deps, EventLog } from '#api/deps.ts';
import { idsOfCommand } from '#api/registration/register.ts';
import { accountDecider } from '#core/account/decider.ts';
import { businessDecider } from '#core/business/decider.ts';
import { enquiryFormDecider } from '#core/enquiry-form/decider.ts';
import { isEnquiryFormEvent } from '#core/enquiry-form/events.ts';
import type { PublicQuestion } from '#core/enquiry-form/public-form.ts';
import { publicQuestions } from '#core/enquiry-form/state.ts';
import { readableEvents } from '#core/event-store/codec.ts';
import { createBulkLoader } from '#core/event-store/embedded/bulk-load.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { fold } from '#core/kernel/decider.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { whileLocked } from '#core/postgres/locks.ts';
import { demoJobs } from './demo-jobs.ts';
import { appendInOrder, decidedStream, type JobHistory } from './job-history.ts';
import { type RegisteredBusiness, type SeedCause, seedBusiness } from './seed-business.ts';
import { historyOfJob, instant, jobIdOf, type Moment } from './seed-job.ts';

/** Where the ids of everything in the demo come from. */
export const DEMO = 'd3e05e1f-9d0c-5b0e-8a55-6d1b7c0a4e21';
const EMAIL = 'dave@acmeplumbing.example';
const SLUG = 'acme-plumbing';
const TIME_ZONE = 'Australia/Melbourne';
const CORRELATION = 'demo';
/** Before its first job. */
const OPENED: Moment = [-151, '09:00'];

export type Demo = Readonly<{ email: string; password: string; slug: string }>;

/** With what the demo business is opened. */
type DemoDeps = Clock & Database & EventLog & Pick<Deps, 'config' | 'files' | 'logger'>;

/**
 * Opens the demo business with forty jobs, from five months ago until today, by the commands of what people do in the product.
 * Again it changes nothing, and finishes what a crash left; of processes that start together one does it and the others
 * wait. The password is this installation's own, from its keys. `connectionString` is the database's, for the lock.
 */
export async function seedDemoBusiness(deps: DemoDeps, connectionString: string): Promise<Demo> {
  const password = passwordFrom(deps.config.keys.data);
  if (!(await isSeeded(deps))) {
    await whileLocked(connectionString, 'demo', async () => {
      if (!(await isSeeded(deps))) await seed(deps, password);
    });
  }
  return { email: EMAIL, password, slug: SLUG };
}

/** The last job stands for all: it comes when the others are there. */
async function isSeeded({ store }: Pick<Deps, 'store'>): Promise<boolean> {
  const { businessId } = idsOfCommand(DEMO);
  const last = demoJobs.at(-1);
  return (
    last !== undefined && (await store.readStream(streamName('job', jobIdOf(businessId, last)))).length > 0
  );
}

async function seed(deps: DemoDeps, password: string): Promise<void> {
  const cause = { commandId: DEMO, actor: 'seed', correlation: CORRELATION };
  const around = { now: deps.now(), timeZone: TIME_ZONE };
  const opened = new Date(instant(around, OPENED));
  const then = { ...deps, now: () => opened };
  // Only its events are of then: a draft of five months ago would be over, and taken by the chores meanwhile.
  const { accountId, businessId } = await openDemo(deps, password, { ...cause, at: opened.toISOString() });
  await welcome(then, accountId, cause);
  await showLogo(deps, businessId, cause, opened);
  const scene = {
    ...around,
    businessId,
    region: 'au' as const,
    questions: await questionsOf(deps, businessId),
  };
  const histories = await Promise.all(demoJobs.map((job) => historyOfJob(deps, scene, job)));
  await appendJobs(deps, histories.slice(0, -1));
  await appendJobs(deps, histories.slice(-1));
  const shown = ['jobs', 'accounts', 'public-form'];
  await deps.readSide.waitFor(shown, await deps.store.head(), 2_000);
}

/** In the order of time, as people would have: how a board stood then is read from the order of the log. */
async function appendJobs({ config, db, store }: DemoDeps, histories: readonly JobHistory[]): Promise<void> {
  // A transaction for each of two hundred events is most of a first start, and can be had at once in our own log alone.
  if (config.eventStoreUrl !== undefined) return appendInOrder(store, histories, CORRELATION);
  const loader = createBulkLoader({ pool: db, dataKey: config.keys.data });
  const decided = histories.map((history) => decidedStream(history, CORRELATION));
  const { streams } = await loader.write(await loader.prepare(decided));
  // Some of them may be half done by a log that was written to one by one.
  if (streams < histories.length) await appendInOrder(store, histories, CORRELATION);
}

function openDemo(deps: DemoDeps, password: string, cause: SeedCause): Promise<RegisteredBusiness> {
  return seedBusiness(
    deps,
    {
      email: EMAIL,
      phone: '0491 570 006',
      password,
      firstName: 'Dave',
      lastName: 'Nguyen',
      region: 'au',
      plan: 'plus',
      bn: '97004118273',
      name: 'Acme Plumbing Pty Ltd',
      tradingName: 'Acme Plumbing',
      coverage: { lat: -37.767, lng: 144.962, radius: 15_000 },
      slug: SLUG,
      theme: '#5053AE',
      intro:
        'Family plumbers in Brunswick since 2009. Blocked drains, hot water and gas, done properly and cleaned up after.',
      trades: ['plumbing'],
      contact: { phone: '+61491570006', email: 'hello@acmeplumbing.example' },
    },
    cause,
  );
}

/** The demo shows a business at work, not one that is just being set up. */
async function welcome(
  deps: DemoDeps,
  accountId: string,
  cause: { actor: string; correlation: string },
): Promise<void> {
  await handleCommand(
    deps.store,
    accountDecider,
    streamName('account', accountId),
    { type: 'FinishOnboarding', at: deps.now().toISOString(), data: { accountId } },
    { ...cause, commandId: uuidV5(DEMO, 'FinishOnboarding') },
  );
}

/** Of pictures that were drawn for the demo, in vectors, and saved as small WebP by a browser's canvas. */
async function showLogo(
  deps: DemoDeps,
  businessId: string,
  cause: { actor: string; correlation: string },
  shownAt: Date,
): Promise<void> {
  const bytes = await readFile(new URL('pictures/logo.webp', import.meta.url));
  const at = shownAt.toISOString();
  const logo = await storeLogo(deps, businessId, bytes);
  const { state } = await handleCommand(
    deps.store,
    businessDecider,
    streamName('business', businessId),
    { type: 'ChangeLogo', at, data: { businessId, logo } },
    { ...cause, commandId: uuidV5(DEMO, 'ChangeLogo') },
  );
  await keepLogo(deps.db, businessId, state?.logo ?? null, deps.now());
}

async function questionsOf(deps: DemoDeps, businessId: string): Promise<PublicQuestion[]> {
  const stream = await deps.store.readStream(streamName('enquiryForm', businessId));
  return publicQuestions(fold(enquiryFormDecider, readableEvents(isEnquiryFormEvent, stream)));
}

/** Long enough for the rules and easy enough to type. */
function passwordFrom(key: Buffer): string {
  const digest = createHmac('sha256', key).update('demo password').digest('hex');
  return `Demo-${digest.slice(0, 5)}-${digest.slice(5, 10)}-7`;
}
