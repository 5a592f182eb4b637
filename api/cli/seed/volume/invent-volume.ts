import { enquiryFormDecider } from '#core/enquiry-form/decider.ts';
import { publicQuestions } from '#core/enquiry-form/state.ts';
import { type InventedBusiness, mostBusinesses, volumeId } from './invent-business.ts';
import { type InventedJob, inventJob } from './invent-job.ts';
import { createRandom } from './random.ts';

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
