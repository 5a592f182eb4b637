import { jobRequestFor } from '#api/intake/public-form.ts';
import type { PublicQuestion } from '#core/enquiry-form/public-form.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import type { JobCommand } from '#core/job/job.ts';
import type { JobRequest } from '#core/job/request/job-request.ts';
import type { WorkingStatus } from '#core/job/status/statuses.ts';
import { waysToReach } from '#core/values/job-form.ts';
import { jobSlots } from '#core/values/time.ts';
import type { InventedBusiness } from './invent-business.ts';
import { createRandom, inventPerson, type Random } from './random-people.ts';
import { descriptions, notes, whereabouts, wishedTimes } from './trades.ts';

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
  const requested = jobRequestFor({ questions, region: business.registration.region }, body);
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

const starts = new Map<string, number>();

/** Milliseconds at which a wall time of a zone comes by, on the day of an instant there. `slot` as `HH:MM`. */
function atSlot(instantMs: number, timeZone: string, slot: string): number {
  const [hour = 0, minute = 0] = slot.split(':').map(Number);
  // Eight in the morning is past every change of clocks, so that the day goes on evenly from there.
  return eightOClock(instantMs, timeZone) + ((hour - 8) * 60 + minute) * 60_000;
}

function eightOClock(instantMs: number, timeZone: string): number {
  const day = Math.floor(instantMs / DAY_MS);
  const key = `${timeZone}/${day}`;
  const known = starts.get(key);
  if (known !== undefined) return known;
  const date = new Date(day * DAY_MS).toTemporalInstant().toZonedDateTimeISO('UTC').toPlainDate();
  const start = date.toZonedDateTime({ timeZone, plainTime: '08:00' }).epochMilliseconds;
  starts.set(key, start);
  return start;
}

/** What became of a job so far. */
type Outcome = 'Pending' | 'Rejected' | WorkingStatus;

type Shares = Readonly<Record<Outcome, number>>;

/** In a hundred jobs, by how long ago they came in. */
const fresh: Shares = {
  ...{ Pending: 60, Rejected: 5, 'To quote': 22, 'In progress': 10, Quoted: 3 },
  ...{ Completed: 0, 'Invoice sent': 0, Paid: 0, Unsuccessful: 0 },
};
const recent: Shares = {
  ...{ Pending: 8, Rejected: 8, 'To quote': 14, 'In progress': 25, Quoted: 15 },
  ...{ Completed: 12, 'Invoice sent': 10, Paid: 6, Unsuccessful: 2 },
};
const old: Shares = {
  ...{ Pending: 3, Rejected: 10, 'To quote': 2, 'In progress': 3, Quoted: 4 },
  ...{ Completed: 8, 'Invoice sent': 6, Paid: 54, Unsuccessful: 10 },
};

/** By which statuses a tradie gets there, besides straight away. */
const detours: Partial<Record<Outcome, readonly (readonly WorkingStatus[])[]>> = {
  Completed: [[], ['In progress']],
  'Invoice sent': [[], ['Completed']],
  Paid: [[], [], ['Completed'], ['Invoice sent']],
  Unsuccessful: [[], ['Quoted']],
};

function outcomeAfter(random: Random, days: number): Outcome {
  const shares = days < 3 ? fresh : days < 30 ? recent : old;
  let left = random.next() * 100;
  for (const [outcome, share] of Object.entries(shares)) {
    left -= share;
    if (left < 0) return outcome as Outcome;
  }
  return 'Paid';
}

/** The statuses that an accepted job was given on its way, in order; none for one that still has to be quoted. */
function statusesTo(random: Random, outcome: Outcome): WorkingStatus[] {
  if (outcome === 'Pending' || outcome === 'Rejected' || outcome === 'To quote') return [];
  return [...random.pick(detours[outcome] ?? [[]]), outcome];
}
