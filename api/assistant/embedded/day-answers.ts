import type { Clock, JobTools, Piece } from '#api/assistant/assistant.ts';
import { unfinishedStatuses, type WorkingStatus } from '#core/job/statuses.ts';
import type { JobCardView } from '#core/job/view.ts';
import { byDay, byTime, dayOf, numberOf, placeOf, quoted, timeOf } from './answer-wording.ts';
import { say } from './help-answers.ts';
import { rest } from './list-answers.ts';
import type { PartOfDay, Period } from './period.ts';

const ROWS = 5;

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
    say(`${numberOf(count)} from before today ${count === 1 ? 'is' : 'are'} not finished yet.`),
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
  const { hour } = Temporal.Instant.from(scheduledAt).toZonedDateTimeISO(timeZone);
  return part === (hour < 12 ? 'morning' : hour < 17 ? 'afternoon' : 'evening');
}
