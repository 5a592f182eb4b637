import type { Clock, JobTools, Piece } from '#api/assistant/assistant.ts';
import { daysWaiting, type JobStatus } from '#core/job/statuses.ts';
import { byArrival, byDay, numberOf, placeOf, quoted } from './answer-wording.ts';
import { say } from './help-answers.ts';
import type { CountedList } from './intent.ts';

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
