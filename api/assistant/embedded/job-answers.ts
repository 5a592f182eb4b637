import type { Clock, JobTools, Piece, Proposal } from '#api/assistant/assistant.ts';
import { hidesContact } from '#core/job/status/statuses.ts';
import type { JobCardView } from '#core/job/view.ts';
import { jobReference } from '#core/values/job-form.ts';
import { formatPhone } from '#core/values/phone.ts';
import { foldText } from '#core/values/text.ts';
import { slotMessage, slotProblem } from '#core/values/time.ts';
import { byDay, cannotPieces, dayOf, numberOf, placeOf, quoted, say, timeOf } from './answer-wording.ts';
import type { Change, JobRef, Move } from './intent.ts';
import { rest } from './list-answers.ts';

const ROWS = 5;

export async function answerFind(job: JobRef, tools: JobTools, clock: Clock): Promise<Piece[]> {
  const found = await findJobs(job, tools);
  const [first] = found;
  if (!first) return [nothingFound(job)];
  const rows: Piece = { kind: 'jobs', jobs: byDay(found.slice(0, ROWS), clock) };
  if (found.length > 1) return [say(`${numberOf(found.length)} fit.`), rows, ...rest(found.length)];
  const { scheduledAt } = first;
  const booked = scheduledAt
    ? `, booked for ${dayOf(scheduledAt, clock)}, ${timeOf(scheduledAt, clock)}`
    : '';
  return [
    say(
      `${quoted(first)} for ${first.name}${placeOf(first)}: ${first.status}${booked}. Reference ${jobReference(first.id)}.`,
    ),
    rows,
  ];
}

/** The customer's phone and email, where the status lets the tradie see them. */
export async function answerContact(job: JobRef, tools: JobTools, clock: Clock): Promise<Piece[]> {
  return withOneJob(job, tools, clock, (card) => {
    const rows: Piece = { kind: 'jobs', jobs: byDay([card], clock) };
    if (hidesContact(card.status))
      return [say(`You see how to reach ${card.name} once you accept ${quoted(card)}.`), rows];
    const ways = [card.phone && formatPhone(card.phone, clock.region), card.email]
      .filter(Boolean)
      .join(' or ');
    return [say(ways ? `${card.name}: ${ways}.` : `No phone or email is known for ${card.name}.`), rows];
  });
}

/** Where a job is, as the tradie would type it into a map. */
export async function answerAddress(job: JobRef, tools: JobTools, clock: Clock): Promise<Piece[]> {
  return withOneJob(job, tools, clock, (card) => [
    say(`${card.name}: ${card.location.address}.`),
    { kind: 'jobs', jobs: byDay([card], clock) },
  ]);
}

export async function proposeChange(
  { job, change }: Readonly<{ job: JobRef; change: Change }>,
  tools: JobTools,
  clock: Clock,
): Promise<Piece[]> {
  return withOneJob(job, tools, clock, (card) => {
    if (change.kind === 'status' && card.status === 'Pending')
      return [say(`${quoted(card)} is still waiting on your answer. Accept or reject it first.`)];
    if (change.kind !== 'status' && !hidesContact(card.status))
      return [say(`${quoted(card)} was answered before: it is ${card.status}.`)];
    return [say(`${quoted(card)} for ${card.name}. Shall I?`), propose(card, change)];
  });
}

/** A job at another time: what words leave out is as it was. Nothing is offered that the schedule would refuse. */
export async function proposeMove(
  { job, day, slot, isTimeNamed }: Pick<Move, 'job' | 'day' | 'slot' | 'isTimeNamed'>,
  tools: JobTools,
  clock: Clock,
): Promise<Piece[]> {
  return withOneJob(job, tools, clock, async (card) => {
    const refusal = whyNotScheduled(card);
    if (refusal) return [say(refusal), { kind: 'jobs', jobs: byDay([card], clock) }];
    const before = card.scheduledAt === null ? null : wallTime(card.scheduledAt, clock);
    const date = day ?? before?.toPlainDate().toString();
    const time = isTimeNamed ? slot : before?.toPlainTime().toString().slice(0, 5);
    if (!date) return [say(`Which day? ${quoted(card)} has no time yet.`)];
    if (time === undefined)
      return [say(`What time on that day? Say it like “move ${card.name} to Friday 2pm”.`)];
    const at = time === null ? null : instantOf(date, time, clock);
    const problem = at === null ? slotMessage : slotProblem(new Date(at), clock.timeZone, clock.now);
    if (at === null || problem !== null) return [say(`${problem}.`)];
    if (at === card.scheduledAt)
      return [
        say(`That is when it is already: ${whenOf(at, clock)}.`),
        { kind: 'jobs', jobs: byDay([card], clock) },
      ];
    const from = card.scheduledAt === null ? '' : ` from ${whenOf(card.scheduledAt, clock)}`;
    const others = (await tools.schedule({ from: date, to: date })).filter(
      ({ id, scheduledAt }) => id !== card.id && scheduledAt === at,
    );
    return [
      say(`${quoted(card)} for ${card.name}: move it${from} to ${whenOf(at, clock)}?`),
      ...others.slice(0, 1).map((other) => say(`You have ${quoted(other)} for ${other.name} then already.`)),
      propose(card, { kind: 'schedule', scheduledAt: at }),
    ];
  });
}

function whyNotScheduled(card: JobCardView): string | null {
  if (card.status === 'Pending')
    return `${quoted(card)} is still waiting on your answer. Accept or reject it first.`;
  if (card.status === 'Rejected') return `You rejected ${quoted(card)}. Accept it first.`;
  return card.status === 'Unsuccessful' ? `${quoted(card)} is Unsuccessful: such jobs have no time.` : null;
}

const wallTime = (instant: string, { timeZone }: Clock) =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone);
const whenOf = (instant: string, clock: Clock) => `${dayOf(instant, clock)}, ${timeOf(instant, clock)}`;

/** As events have it, with milliseconds. */
function instantOf(day: string, time: string, { timeZone }: Clock): string {
  const local = Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(timeZone);
  return new Date(local.epochMilliseconds).toISOString();
}

/** An order that Kel does not carry out: where the tradie does it, if it is about one job that is found. */
export async function answerCannot(job: JobRef | null, tools: JobTools, clock: Clock): Promise<Piece[]> {
  const found = job === null ? [] : await findJobs(job, tools);
  if (found.length === 0) return cannotPieces();
  return [
    say('I can’t do that yet. You can from the job itself:'),
    { kind: 'jobs', jobs: byDay(found.slice(0, ROWS), clock) },
    ...rest(found.length),
  ];
}

/** A note below those that the job has. */
export async function proposeNote(
  { job, note }: Readonly<{ job: JobRef; note: string }>,
  tools: JobTools,
  clock: Clock,
): Promise<Piece[]> {
  return withOneJob(job, tools, clock, async (card) => {
    const view = await tools.job(card.id);
    if (!view) return [nothingFound(job)];
    const notes = [view.notes, note].filter(Boolean).join('\n');
    return [say(`A note on ${quoted(card)}: ${note}`), propose(view, { kind: 'notes', notes })];
  });
}

/** Goes on with the job that the words fit; shows the choice where there are several. */
async function withOneJob(
  job: JobRef,
  tools: JobTools,
  clock: Clock,
  goOn: (card: JobCardView) => Piece[] | Promise<Piece[]>,
): Promise<Piece[]> {
  const found = await findJobs(job, tools);
  const [first, second] = found;
  if (!first) return [nothingFound(job)];
  if (!second) return goOn(first);
  return [
    say(`${numberOf(found.length)} fit. Which one? Say “the first one”, or some of its title.`),
    { kind: 'jobs', jobs: byDay(found.slice(0, ROWS), clock) },
    ...rest(found.length),
  ];
}

function propose(
  { id, title, revision }: Pick<JobCardView, 'id' | 'title' | 'revision'>,
  change: Proposal['change'],
): Piece {
  return { kind: 'proposal', proposal: { jobId: id, title, revision, change } };
}

function nothingFound(job: JobRef): Piece {
  if ('ids' in job) {
    if (job.ids.length === 0) return say('Which job? Say whose it is, or some of its title.');
    return say('I cannot find that job any more.');
  }
  const { words, place } = job;
  if (words.length < 3) return say('Give me three letters or more to look for.');
  return say(`I found no job for “${words}”${place ? ` in “${place}”` : ''}.`);
}

const MOST = 100;

/**
 * Jobs that were spoken of, as they are now; or those that words fit, newest first: the words as they stand, else every
 * one of them somewhere on the card. Searches what the lists search, so a withheld contact finds nothing.
 */
async function findJobs(job: JobRef, tools: JobTools): Promise<readonly JobCardView[]> {
  if ('ids' in job) {
    const known = await Promise.all(job.ids.map((id) => tools.job(id)));
    return known.filter((card) => card !== null);
  }
  const { words, place } = job;
  const wanted = words.slice(0, 100).trim();
  if (wanted.length < 3) return [];
  const exact = await tools.list({ search: wanted, limit: MOST });
  const found = exact.length > 0 ? exact : await findEachWord(wanted, tools);
  return place === null ? found : found.filter((card) => cardText(card).includes(foldText(place)));
}

async function findEachWord(wanted: string, tools: JobTools): Promise<readonly JobCardView[]> {
  const parts = wanted.split(/\s+/).filter((part) => part.length >= 3);
  const [longest] = parts.toSorted((a, b) => b.length - a.length);
  if (parts.length < 2 || !longest) return [];
  const some = await tools.list({ search: longest, limit: MOST });
  return some.filter((card) => parts.every((part) => cardText(card).includes(foldText(part))));
}

function cardText({ title, name, location }: JobCardView): string {
  return [title, name, location.address].map(foldText).join('\n');
}
