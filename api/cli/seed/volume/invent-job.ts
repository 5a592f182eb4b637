import { jobRequestFor } from '#api/intake/public-form/job-request.ts';
import type { PublicQuestion } from '#core/enquiry-form/public-form.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import type { JobCommand, JobRequest } from '#core/job/commands.ts';
import { waysToReach } from '#core/values/job-form.ts';
import { jobSlots } from '#core/values/time.ts';
import type { InventedBusiness } from './invent-business.ts';
import { type Outcome, outcomeAfter, statusesTo } from './job-outcomes.ts';
import { inventPerson } from './people.ts';
import { createRandom, type Random } from './random.ts';
import { descriptions, notes, whereabouts, wishedTimes } from './trades.ts';
import { atSlot } from './wall-time.ts';

/** A job with all that happened to it, as the commands that people would have given, in order. */
export type InventedJob = Readonly<{ jobId: string; commands: readonly JobCommand[] }>;

/** What a job is invented from. `createdMs` and `nowMs` are instants; `index` numbers the jobs of a seed. */
export type JobBrief = Readonly<{
  namespace: string;
  index: number;
  business: InventedBusiness;
  questions: readonly PublicQuestion[];
  createdMs: number;
  nowMs: number;
}>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The job with this number: always the same one for the same brief. Nothing in it happens after `nowMs`. */
export function inventJob(brief: JobBrief): InventedJob {
  const random = createRandom(brief.namespace, 'job', brief.index);
  const jobId = uuidV5(brief.namespace, `job/${brief.index}`);
  const ids = { jobId, businessId: brief.business.businessId };
  const outcome = outcomeAfter(random, (brief.nowMs - brief.createdMs) / DAY_MS);
  const steps = [inventOrigin(random, brief, outcome), ...inventWork(random, brief, outcome)];
  let at = brief.createdMs;
  const commands = steps.map(({ type, ...data }, index) => {
    if (index > 0) at = Math.min(at + random.between(5, 60 * 36) * 60_000, brief.nowMs);
    return { type, at: new Date(at).toISOString(), data: { ...ids, ...data } } as JobCommand;
  });
  return { jobId, commands };
}

type Step = { type: JobCommand['type'] } & Record<string, unknown>;

/** Most come by the form. What the tradie typed in cannot be waiting for an answer. */
function inventOrigin(random: Random, { business, questions }: JobBrief, outcome: Outcome): Step {
  const body = inventRequest(random, business);
  const requested = jobRequestFor({ questions }, body);
  const { name, email, phone, title, location, description, isUrgent } = requested;
  const work = { name, email, phone, title, location };
  const kind = random.next();
  if (kind < 0.04) return { type: 'ReceiveWorkOrder', ...work, description, isUrgent, scheduledAt: null };
  if (kind > 0.94 && outcome !== 'Pending' && outcome !== 'Rejected') {
    return { type: 'AddJob', ...work, notes: random.pick(notes), scheduledAt: null };
  }
  return { type: 'RequestJob', ...requested, media: [] };
}

/** What a customer of the business could send: it passes the public form's own rules. */
export function inventRequest(random: Random, { trade, place, registration }: InventedBusiness): JobRequest {
  const { firstName, lastName, email, phone } = inventPerson(random, registration.region);
  const unit = random.chance(0.25) ? `${random.between(1, 40)}/` : '';
  const street = `${unit}${random.between(1, 320)} ${random.pick(place.streets)}`;
  const nearby = () => (random.next() - 0.5) * 0.03;
  return {
    ...{ name: `${firstName} ${lastName}`, email, phone },
    address: `${street}${place.written}`,
    ...{ lat: round(place.lat + nearby()), lng: round(place.lng + nearby()) },
    title: `${random.pick(trade.titles)}${random.pick(whereabouts)}`,
    description: [random.pick(descriptions), random.pick(descriptions)].join(' '),
    isUrgent: random.chance(0.15),
    wishedTime: random.pick(wishedTimes),
    ...(random.chance(0.4) && { reachBy: random.pick(Object.keys(waysToReach)) }),
    answers: [
      {
        questionId: 'home-type',
        answer: random.pick(['House', 'House', 'Unit', 'Townhouse', 'Shop or office']),
      },
      { questionId: 'pets', answer: random.pick(['No', 'Yes']) },
    ],
  };
}

function inventWork(random: Random, brief: JobBrief, outcome: Outcome): Step[] {
  if (outcome === 'Pending') return [];
  if (outcome === 'Rejected') return [{ type: 'RejectJob' }];
  const isPlanned = random.chance(outcome === 'To quote' ? 0.3 : 0.85);
  return [
    { type: 'AcceptJob' },
    ...(isPlanned ? [{ type: 'ScheduleJob', scheduledAt: inventSlot(random, brief) } as const] : []),
    ...statusesTo(random, outcome).map((status) => ({ type: 'ChangeJobStatus', status }) as const),
    ...(random.chance(0.2) ? [{ type: 'ChangeJobNotes', notes: random.pick(notes) } as const] : []),
  ];
}

/** A slot of the business's own day, up to five weeks after the request. */
function inventSlot(random: Random, { business, createdMs }: JobBrief): string {
  const day = createdMs + random.between(1, 35) * DAY_MS;
  return new Date(atSlot(day, business.place.timeZone, random.pick(jobSlots))).toISOString();
}

function round(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}
