import type { Clock, JobTools, Piece } from '#api/assistant/assistant.ts';
import {
  daysWaiting,
  type JobStatus,
  unfinishedStatuses,
  type WorkingStatus,
} from '#core/job/status/statuses.ts';
import type { JobCardView } from '#core/job/view.ts';
import { truncate } from '#core/values/text.ts';
import { byArrival, byDay, byTime, dayOf, numberOf, placeOf, quoted, say, timeOf } from './answer-wording.ts';
import type { CountedList } from './intent.ts';
import type { PartOfDay, Period } from './period.ts';

/** Rows of one answer, and how far jobs of a status are counted. */
const ROWS = 5;
const COUNTED = 100;

const listNames: Record<CountedList, string> = { new: 'in New', inProgress: 'in progress', all: 'in all' };

export async function answerCount(of: CountedList, tools: JobTools): Promise<Piece[]> {
  const counts = await tools.counts();
  return [say(`${numberOf(counts[of])} ${listNames[of]}.`)];
}

export async function answerSummary(tools: JobTools): Promise<Piece[]> {
  const { today, new: fresh, inProgress, all } = await tools.counts();
  return [
    say(`${numberOf(today)} today.`),
    say(`${numberOf(fresh)} in New and ${inProgress} in progress, of ${all} in all.`),
  ];
}

/** Requests that wait for an answer, newest first. */
export async function answerNew(tools: JobTools, clock: Clock): Promise<Piece[]> {
  const found = await tools.list({ statuses: ['Pending'], limit: COUNTED });
  if (found.length === 0) return [say('Nothing new: every request has its answer.')];
  const verb = found.length === 1 ? 'is' : 'are';
  return [
    say(`${counted(found.length)} ${verb} waiting on your answer.`),
    { kind: 'jobs', jobs: byArrival(found.slice(0, ROWS), clock) },
    ...rest(found.length),
  ];
}

/** Who has waited longest for an answer comes first. */
export async function answerWaiting(tools: JobTools, clock: Clock): Promise<Piece[]> {
  const found = await tools.list({ statuses: ['Pending'], sort: 'createdAt', dir: 'asc', limit: COUNTED });
  const [first] = found;
  if (!first) return [say('Nobody is waiting: every request has its answer.')];
  const days = daysWaiting(first, clock.now);
  const since = days === 0 ? 'for less than a day' : `for ${days} day${days === 1 ? '' : 's'}`;
  return [
    say(`${first.name}${placeOf(first)} has been waiting longest, ${since}, with ${quoted(first)}.`),
    { kind: 'jobs', jobs: byArrival(found.slice(0, ROWS), clock) },
    ...rest(found.length),
  ];
}

/** What is urgent and not done; requests that wait for an answer come first. */
export async function answerUrgent(tools: JobTools, clock: Clock): Promise<Piece[]> {
  const each = unfinishedStatuses.map((status) => tools.list({ statuses: [status], limit: COUNTED }));
  const urgent = (await Promise.all(each)).flat().filter(({ isUrgent }) => isUrgent);
  const [first] = urgent;
  if (!first) return [say('Nothing urgent is open.')];
  const waits = first.status === 'Pending' ? ', and waits for your answer' : '';
  return [
    say(`${numberOf(urgent.length, 'urgent job')}. ${first.name}${placeOf(first)} comes first${waits}.`),
    { kind: 'jobs', jobs: byDay(urgent.slice(0, ROWS), clock) },
    ...rest(urgent.length),
  ];
}

/** Who has an invoice to pay, and for whom the work is done and no invoice was sent: those that wait the longest first. */
export async function answerUnpaid(tools: JobTools, clock: Clock): Promise<Piece[]> {
  const oldest = { sort: 'createdAt', dir: 'asc', limit: COUNTED } as const;
  const invoiced = await tools.list({ statuses: ['Invoice sent'], ...oldest });
  const completed = await tools.list({ statuses: ['Completed'], ...oldest });
  const all = [...invoiced, ...completed];
  if (all.length === 0)
    return [say('Everybody has paid: no invoice is out, and no finished job is without one.')];
  return [
    ...(invoiced.length > 0 ? [say(`Invoice sent, not paid yet: ${namesOf(invoiced)}.`)] : []),
    ...(completed.length > 0 ? [say(`Completed, no invoice sent yet: ${namesOf(completed)}.`)] : []),
    { kind: 'jobs', jobs: byDay(all.slice(0, ROWS), clock) },
    ...rest(all.length),
  ];
}

/** `Priya Raman, Sal Fono and 3 more` */
function namesOf(jobs: readonly JobCardView[]): string {
  const names = [...new Set(jobs.map(({ name }) => truncate(name, 60)))];
  const shown = names.slice(0, ROWS);
  const more = names.length - shown.length;
  return new Intl.ListFormat('en-AU').format(more > 0 ? [...shown, `${more} more`] : shown);
}

type Asked = Readonly<{ statuses: readonly JobStatus[]; label: string }>;

export async function answerStatus(
  { statuses, label }: Asked,
  tools: JobTools,
  clock: Clock,
): Promise<Piece[]> {
  const found = await tools.list({ statuses, limit: COUNTED });
  if (found.length === 0) return [say(`No jobs ${label}.`)];
  return [
    say(`${counted(found.length)} ${label}.`),
    { kind: 'jobs', jobs: byDay(found.slice(0, ROWS), clock) },
    ...rest(found.length),
  ];
}

function counted(count: number): string {
  return count < COUNTED ? numberOf(count) : `${COUNTED} jobs or more`;
}

/** Says that there are more than are shown. */
export function rest(count: number): Piece[] {
  return count > ROWS ? [say(`The first ${ROWS} are here; the rest are in your list.`)] : [];
}

/** What is on, by time on a single day and by day on several. */
export async function answerAboutDays(period: Period, tools: JobTools, clock: Clock): Promise<Piece[]> {
  const all = await tools.schedule(period.days);
  const jobs = period.part ? all.filter((job) => isIn(job, period.part, clock)) : all;
  const when = period.part === null ? period.label : `${period.label}, in the ${period.part}`;
  const [first] = jobs;
  if (!first?.scheduledAt) return [say(`Nothing is booked ${when}.`)];
  const isOneDay = period.days.from === period.days.to;
  const at = `${isOneDay ? '' : `${dayOf(first.scheduledAt, clock)}, `}${timeOf(first.scheduledAt, clock)}`;
  const opening = jobs.length === 1 ? 'It’s at' : 'First one’s at';
  const rows = jobs.slice(0, ROWS);
  return [
    say(`${numberOf(jobs.length)} ${when}.`),
    say(`${opening} ${at}${placeOf(first)}.`),
    { kind: 'jobs', jobs: isOneDay ? byTime(rows, clock) : byDay(rows, clock) },
    ...rest(jobs.length),
  ];
}

/** The next job that may still be worked on, within four weeks. */
export async function answerNext(tools: JobTools, clock: Clock): Promise<Piece[]> {
  const today = Temporal.Instant.fromEpochMilliseconds(clock.now.getTime())
    .toZonedDateTimeISO(clock.timeZone)
    .toPlainDate();
  const days = { from: today.toString(), to: today.add({ days: 27 }).toString() };
  const next = (await tools.schedule(days)).find(
    ({ scheduledAt, status }) =>
      scheduledAt !== null &&
      Date.parse(scheduledAt) >= clock.now.getTime() &&
      unfinishedStatuses.some((open) => open === status),
  );
  if (!next?.scheduledAt) return [say('Nothing is booked in the next four weeks.')];
  const at = `${dayOf(next.scheduledAt, clock)}, ${timeOf(next.scheduledAt, clock)}`;
  return [
    say(`Next is ${quoted(next)} for ${next.name}${placeOf(next)}: ${at}.`),
    { kind: 'jobs', jobs: byDay([next], clock) },
  ];
}

export async function answerOverdue(tools: JobTools, clock: Clock): Promise<Piece[]> {
  const { count, jobs } = await tools.overdue();
  if (count === 0) return [say('Nothing is overdue.')];
  return [
    say(`${numberOf(count)} should be done by now and ${count === 1 ? 'is' : 'are'} not finished.`),
    { kind: 'jobs', jobs: byDay(jobs.slice(0, ROWS), clock) },
    ...rest(count),
  ];
}

type Given = Readonly<{ status: WorkingStatus; period: Period }>;

export async function answerGivenStatus(
  { status, period }: Given,
  tools: JobTools,
  clock: Clock,
): Promise<Piece[]> {
  const { jobs, isWhole } = await tools.givenStatus(status, period.days);
  const count = jobs.length;
  const limits = isWhole ? [] : [say('I looked at your 100 newest jobs only.')];
  if (count === 0) return [say(`No job was marked ${status} ${period.label}.`), ...limits];
  return [
    say(`${numberOf(count)} ${count === 1 ? 'was' : 'were'} marked ${status} ${period.label}.`),
    { kind: 'jobs', jobs: byDay(jobs.slice(0, ROWS), clock) },
    ...rest(count),
    ...limits,
  ];
}

function isIn({ scheduledAt }: JobCardView, part: PartOfDay | null, { timeZone }: Clock): boolean {
  if (scheduledAt === null) return false;
  const at = Temporal.Instant.from(scheduledAt).toZonedDateTimeISO(timeZone);
  const { hour } = at;
  // A day without an hour is in each of its parts.
  if (part !== null && at.toPlainTime().equals('00:00')) return true;
  return part === (hour < 12 ? 'morning' : hour < 17 ? 'afternoon' : 'evening');
}
