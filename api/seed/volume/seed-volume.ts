import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import { passwordsOf } from '#api/accounts/passwords.ts';
import type { RegistrationDeps } from '#api/registration/load-registration.ts';
import { decidedStream } from '#api/seed/job-history.ts';
import { seedBusiness } from '#api/seed/seed-business.ts';
import { enquiryFormDecider } from '#core/enquiry-form/decider.ts';
import { publicQuestions } from '#core/enquiry-form/state.ts';
import { createBulkLoader, type NewStream } from '#core/event-store/embedded/bulk-load.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import {
  type InventedBusiness,
  inventBusiness,
  mostBusinesses,
  registeredAt,
  volumeId,
} from './invent-business.ts';
import { type InventedJob, inventJob } from './invent-job.ts';
import { createRandom } from './random-people.ts';

/** `pool` carries the bulk: its statements may take longer than a request's. */
export type VolumeDeps = RegistrationDeps & Readonly<{ pool: Pool }>;

/** How far the seeding is. */
export type SeedProgress = (what: 'businesses' | 'jobs', done: number, of: number) => void;

/** What was put in: less than planned where an earlier run of the same seed had put it there. */
export type SeededVolume = Readonly<{
  jobs: number;
  events: number;
  /** How to sign in to the first business, the heavy one where there is one. */
  first: Readonly<{ email: string; password: string; slug: string }>;
}>;

/** Jobs written at a time: about ten thousand events, well under a second of the append lock. */
const BATCH = 3_000;
/** Registrations at once. */
const AT_ONCE = 4;

/**
 * Fills an installation with invented businesses and jobs: businesses through their registration, jobs decided by the
 * decider and loaded in bulk, all of origin `seed`. Again it adds what is missing. Throws
 * `ConflictError` when an email, mobile or slug belongs to another account. Read models follow by themselves.
 */
export async function seedVolume(
  deps: VolumeDeps,
  plan: VolumePlan,
  { signal, onProgress = () => {} }: { signal?: AbortSignal; onProgress?: SeedProgress } = {},
): Promise<SeededVolume> {
  const businesses = Array.from({ length: plan.businesses }, (_, index) => inventBusiness(plan.seed, index));
  const password = seedPassword(deps.config.keys.data);
  await registerAll(deps, plan, businesses, { password, signal, onProgress });
  const loaded = await loadJobs(deps, plan, businesses, { signal, onProgress });
  const { email = '', slug = '' } = businesses[0]?.registration ?? {};
  return { ...loaded, first: { email, password, slug } };
}

type Run = Readonly<{ signal: AbortSignal | undefined; onProgress: SeedProgress }>;

async function registerAll(
  deps: VolumeDeps,
  { now }: VolumePlan,
  businesses: readonly InventedBusiness[],
  { password, signal, onProgress }: Run & { password: string },
): Promise<void> {
  // One password for all: hashing it is more work than the rest of a registration.
  const hashed = passwordsOf(deps.config).hash(password);
  let done = 0;
  const waiting = businesses.entries();
  const work = async () => {
    for (const [index, { commandId, registration }] of waiting) {
      signal?.throwIfAborted();
      const at = registeredAt(index, now).toISOString();
      const cause = { commandId, actor: 'seed', correlation: 'seed', at };
      await seedBusiness(deps, { ...registration, password }, cause, () => hashed);
      onProgress('businesses', ++done, businesses.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** The next batch is invented, sealed and chained while Postgres writes the one before. */
async function loadJobs(
  { pool, config }: VolumeDeps,
  plan: VolumePlan,
  businesses: readonly InventedBusiness[],
  { signal, onProgress }: Run,
): Promise<{ jobs: number; events: number }> {
  const loader = createBulkLoader({ pool, dataKey: config.keys.data });
  const total = plan.jobs + plan.heavy;
  const seeded = { jobs: 0, events: 0 };
  let done = 0;
  let writing = Promise.resolve();
  for (const batch of batches(inventHistories(plan, businesses))) {
    signal?.throwIfAborted();
    const prepared = await loader.prepare(batch);
    await writing;
    writing = loader.write(prepared).then(({ streams, events }) => {
      seeded.jobs += streams;
      seeded.events += events;
      onProgress('jobs', (done += batch.length), total);
    });
    // It is awaited above and below; until then a failure must not count as unhandled.
    writing.catch(() => {});
  }
  await writing;
  return seeded;
}

function* inventHistories(plan: VolumePlan, businesses: readonly InventedBusiness[]): Generator<NewStream> {
  for (const job of inventJobs(plan, businesses)) yield seededStream(job);
}

function* batches<T>(items: Iterable<T>): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** This installation's own, the same for every seeded account. */
function seedPassword(key: Buffer): string {
  const digest = createHmac('sha256', key).update('seed password').digest('hex');
  return `Seed-${digest.slice(0, 5)}-${digest.slice(5, 10)}-7`;
}

/** The stream of an invented job. */
export function seededStream({ jobId, commands }: InventedJob): NewStream {
  const steps = commands.map((command, step) => {
    return { command, commandId: step === 0 ? jobId : uuidV5(jobId, `step ${step}`) };
  });
  return decidedStream({ jobId, commands: steps }, 'seed');
}

/**
 * How much to invent. `jobs` are spread over the businesses; `heavy` more go to the first one alone, which then gets
 * none of the others. The same plan gives the same data, job by job.
 */
export type VolumePlan = Readonly<{
  businesses: number;
  jobs: number;
  heavy: number;
  seed: number;
  now: Date;
}>;

/** A year, less some days: every job comes after its business. */
const SPAN_MS = 360 * 86_400_000;

/** What is wrong with a plan, for the operator who typed it; null when nothing is. */
export function planProblem({ businesses, jobs, heavy, seed }: VolumePlan): string | null {
  const whole = [businesses, jobs, heavy, seed].every(
    (number) => Number.isSafeInteger(number) && number >= 0,
  );
  if (!whole) return 'Numbers of businesses and jobs, and the seed, are whole and not negative.';
  if (businesses < 1 || businesses > mostBusinesses) return `--businesses goes from 1 to ${mostBusinesses}.`;
  if (seed < 1) return '--seed starts at 1.';
  if (heavy > 0 && jobs > 0 && businesses < 2) return 'One heavy business among others takes at least two.';
  return null;
}

/** All jobs of a plan, in the order in which they came in over the past year. */
export function* inventJobs(
  plan: VolumePlan,
  businesses: readonly InventedBusiness[],
): Generator<InventedJob> {
  const namespace = volumeId(plan.seed);
  const questions = standardForm();
  const total = plan.jobs + plan.heavy;
  const nowMs = plan.now.getTime();
  for (let index = 0; index < total; index += 1) {
    const business = businesses[ownerOf(plan, index)];
    if (!business) throw new RangeError('a business of the plan is missing');
    const createdMs = Math.floor(nowMs - SPAN_MS + ((index + 0.5) / total) * SPAN_MS);
    yield inventJob({ namespace, index, business, questions, createdMs, nowMs });
  }
}

/** What an unchanged form asks: every seeded business has it. */
function standardForm() {
  const data = { businessId: '', trades: [], openedAt: '' };
  return publicQuestions(enquiryFormDecider.evolve(null, { type: 'EnquiryFormOpened', data }));
}

/** The number of the business that a job belongs to. Some have many more jobs than others. */
function ownerOf({ businesses, jobs, heavy, seed }: VolumePlan, index: number): number {
  const isHeavy = evenly(heavy, jobs + heavy, index);
  if (isHeavy) return 0;
  const first = heavy > 0 ? 1 : 0;
  const share = createRandom(seed, 'owner', index).next() ** 1.5;
  return first + Math.floor(share * (businesses - first));
}

/** Whether this one is among `some` of `all`, taken at even distances. */
function evenly(some: number, all: number, index: number): boolean {
  return Math.floor(((index + 1) * some) / all) > Math.floor((index * some) / all);
}
