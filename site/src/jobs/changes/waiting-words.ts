import type { PhotoStage } from '#core/job/photos/photo-stages.ts';
import { product } from '#core/values/product.ts';
import { dayKey, formatDateTime, formatTime } from '#site/lib/time/moments.ts';
import type { Change, Problem, QueuedChange, StoredChange } from './change-queue.ts';

/** Every word about changes that wait for a signal. */

/** The clocks of the business; `timeZone` is IANA. */
export type Clock = Readonly<{ timeZone: string; now: Date }>;

/** What waits of a job, beside the job: `Completed, new time and notes, waiting to send`; with a clock, which time. */
export function signInWords(changes: readonly StoredChange[], clock?: Clock): string {
  const parts = [...new Set(changes.map(({ change }) => partInWords(change, clock)))];
  // Statuses are names, the other parts begin a sentence only where they are the first.
  const all = parts.map((part, at) => (at > 0 && !isStatus(part) ? `n${part.slice(1)}` : part));
  const last = all.length > 1 ? all.pop() : undefined;
  const state = changes.some(({ problem }) => problem) ? 'needs you' : 'waiting to send';
  return `${all.join(', ')}${last ? ` and ${last}` : ''}, ${state}`;
}

const isStatus = (part: string) => !/^(Notes|New time|No time)/.test(part);

function partInWords(change: Change, clock: Clock | undefined): string {
  if ('answer' in change) return change.answer === 'accept' ? 'Accepted' : 'Rejected';
  if ('notes' in change) return 'Notes';
  // A job that did not work out leaves the schedule by that.
  if (change.status !== undefined) return change.status;
  if (!change.scheduledAt) return 'No time';
  return `New time${clock ? ` ${formatDateTime(change.scheduledAt, clock.timeZone, clock.now)}` : ''}`;
}

/** A change in the queue: `Priya Raman accepted`, `Wei Cheng moved to Tue 06 Jan, 10:00AM`. */
export function changeInWords({ change, seen, job: { name } }: StoredChange, clock: Clock): string {
  if ('answer' in change) return `${name} ${change.answer === 'accept' ? 'accepted' : 'rejected'}`;
  if ('notes' in change) return `Notes on ${name}`;
  if (change.status !== undefined) return `${name}, ${change.status}`;
  if (!change.scheduledAt) return `${name} taken off the schedule`;
  const when = formatDateTime(change.scheduledAt, clock.timeZone, clock.now);
  return `${name} ${seen.scheduledAt ? 'moved to' : 'set for'} ${when}`;
}

/** What the change is about, and when it was made; of one that needs the tradie, why. */
export function aboutInWords(change: QueuedChange, clock: Clock): string {
  if (change.problem && !isSent(change)) return problemInWords(change);
  return `${change.job.title}, ${timeOf(change.at, clock)}`;
}

/** Where a change is on its way: `Sent 9:03AM`, `Sending`, `Waiting for signal`, `Needs you`. */
export function stateInWords(
  change: QueuedChange,
  all: readonly QueuedChange[],
  hasSignal: boolean,
  clock: Clock,
): string {
  if (change.sentAt !== undefined) return `Sent ${timeOf(change.sentAt, clock)}`;
  if (change.problem) return 'Needs you';
  if (change.isSending) return 'Sending';
  if (all.some(({ jobId, problem }) => jobId === change.jobId && problem))
    return 'Waiting for your choice above';
  return waitingState(hasSignal);
}

export function waitingState(hasSignal: boolean): string {
  return hasSignal ? 'Waiting' : 'Waiting for signal';
}

/** Photos that wait: `2 after photos`, `1 photo`. */
export function photosInWords(count: number, stage: PhotoStage): string {
  return `${count} ${stage === 'during' ? '' : `${stage} `}${count === 1 ? 'photo' : 'photos'}`;
}

/** So many bytes: `3.1 MB`. */
export function sizeInWords(bytes: number): string {
  return `${Math.max(bytes / 1_000_000, 0.1).toFixed(1)} MB`;
}

/** Whether a change that needs the tradie is settled by choosing between theirs and what the job has become. */
export function isChoice({ change, problem }: StoredChange): boolean {
  const theirs = problem?.theirs;
  if (!theirs || theirs.isErased || 'answer' in change) return false;
  if ('notes' in change) return theirs.notes !== change.notes;
  if (theirs.status === 'Pending') return false;
  if (change.status !== undefined) return theirs.status !== change.status;
  const isOpen = theirs.status !== 'Rejected' && theirs.status !== 'Unsuccessful';
  return isOpen && theirs.scheduledAt !== change.scheduledAt;
}

function problemInWords(stored: StoredChange): string {
  const { change, problem } = stored;
  const theirs = problem?.theirs;
  if (theirs?.isErased) return 'The customer’s details were removed meanwhile';
  const who = capitalized(nameOf(problem?.by));
  if ('answer' in change && theirs && theirs.status !== 'Pending') {
    return `${who} ${theirs.status === 'Rejected' ? 'rejected' : 'accepted'} it while you were away`;
  }
  if (!isChoice(stored)) return problem?.message ?? '';
  return `${who} ${partOf(stored) === 'times' ? 'moved' : 'changed'} it too while you were away`;
}

/** Who changed the job meanwhile, as a sentence goes on: the tradie may have done so on another device. */
function nameOf(by: Problem['by']): string {
  if (!by) return 'another device';
  return by.isOwn ? 'your other device' : by.name;
}

const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

export type BannerWords = Readonly<{ first: string; second: string; kind: 'no-signal' | 'waiting' | 'sent' }>;
type Asked = Clock &
  Readonly<{
    /** Whether the server answers, as far as is known. */
    hasSignal: boolean;
    /** From when the jobs on the page are, in ms since the epoch. */
    asOf: number | undefined;
  }>;

/** The banner of the queue; null where there is nothing to say. */
export function bannerInWords(changes: readonly QueuedChange[], asked: Asked): BannerWords | null {
  const left = changes.filter((change) => !isSent(change));
  const waiting = left.filter(({ problem }) => !problem);
  const [needed, ...more] = left.filter(({ problem }) => problem);
  if (waiting.length > 0 && !asked.hasSignal) {
    const second =
      asked.asOf === undefined ? 'They go by themselves when it is back' : asOfInWords(asked.asOf, asked);
    return { kind: 'no-signal', first: `No signal. ${count(waiting.length)} waiting`, second };
  }
  if (needed) {
    const isOne = more.length === 0;
    const first = isOne ? '1 change needs you' : `${more.length + 1} changes need you`;
    return { kind: 'waiting', first, second: isOne ? neededInWords(needed) : 'Nothing of it is lost' };
  }
  if (waiting.length > 0) {
    const isSending = waiting.some((change) => change.isSending);
    const first = isSending ? `Sending ${count(waiting.length)}` : `${count(waiting.length)} waiting`;
    return { kind: 'waiting', first, second: 'They go by themselves, in the order you made them' };
  }
  if (changes.length === 0) return null;
  return { kind: 'sent', first: `Back online. ${count(changes.length)} sent`, second: '' };
}

function neededInWords(change: StoredChange): string {
  const { name } = change.job;
  if (!isChoice(change)) return `${name}: ${problemInWords(change)}`;
  return `${name} has two ${partOf(change)}`;
}

function asOfInWords(at: number, { timeZone, now }: Clock): string {
  const date = new Date(at);
  const isToday = dayKey(date, timeZone) === dayKey(now, timeZone);
  return `Your jobs as of ${isToday ? formatTime(date, timeZone) : formatDateTime(date, timeZone, now)}`;
}

function count(changes: number): string {
  return changes === 1 ? '1 change' : `${changes} changes`;
}

/** The head of the queue: `3 changes waiting`. */
export function queueTitle(changes: readonly QueuedChange[]): string {
  const left = changes.filter((change) => !isSent(change)).length;
  return left > 0 ? `${count(left)} waiting` : 'Nothing is waiting';
}

export const queueNote = (isStored: boolean): string =>
  isStored
    ? `Nothing is lost when you close ${product.name}. It sends by itself, in this order.`
    : `This browser stores nothing: leave ${product.name} open until all is sent.`;

/** The part of the job that both changed, in plural. */
function partOf({ change }: Pick<StoredChange, 'change'>): 'times' | 'statuses' | 'notes' {
  if ('notes' in change) return 'notes';
  return 'status' in change && change.status !== undefined ? 'statuses' : 'times';
}

/** One of the two that are chosen between: what it makes of the job, whose it is and from when, and what follows from taking it. */
export type Side = Readonly<{ value: string; whose: string; follows: string; take: string }>;

/** The question which of two changes holds. */
export type Choice = Readonly<{ title: string; intro: string; job: string; mine: Side; theirs: Side }>;

/** A change that `isChoice`, as a question. */
export function choiceInWords(stored: StoredChange, clock: Clock): Choice {
  const { change, problem, job, at } = stored;
  const part = partOf(stored);
  const word = { times: 'time', statuses: 'status', notes: 'notes' }[part];
  const who = nameOf(problem?.by);
  const mine = valueInWords(part, change as Values, clock, 'yours');
  const theirs = valueInWords(part, problem?.theirs ?? {}, clock, 'theirs');
  const when = problem?.by && timeOf(Date.parse(problem.by.at), clock);
  const stays = `The other ${word} ${part === 'notes' ? 'stay' : 'stays'} in the history.`;
  return {
    title: `Which ${word} ${part === 'notes' ? 'hold' : 'holds'}?`,
    intro:
      part === 'notes'
        ? `You and ${who} both wrote notes for`
        : `You set ${mine.short}, ${who} set ${theirs.short}. Both are for`,
    job: `${job.name}, ${job.title}`,
    mine: {
      ...{ value: mine.long, whose: `You, ${timeOf(at, clock)}, without signal`, take: `Keep ${mine.short}` },
      follows: `Keep yours and it is written over theirs. ${stays}`,
    },
    theirs: {
      ...{ value: theirs.long, take: `Keep ${theirs.short}` },
      whose: when ? `${capitalized(who)}, ${when}` : 'Changed while you were away',
      follows: `Keep theirs and yours is dropped: it was never sent.`,
    },
  };
}

type Values = Readonly<{ status?: string; scheduledAt?: string | null; notes?: string }>;

/** The value of a part in full and, for the button, in short. */
function valueInWords(
  part: ReturnType<typeof partOf>,
  { status = '', scheduledAt, notes }: Values,
  { timeZone, now }: Clock,
  whose: 'yours' | 'theirs',
): Readonly<{ long: string; short: string }> {
  if (part === 'notes') return { long: notes || 'No notes', short: whose };
  if (part === 'statuses') return { long: status, short: status };
  if (!scheduledAt) return { long: 'Off the schedule', short: 'no time' };
  return {
    long: formatDateTime(scheduledAt, timeZone, now),
    short: formatTime(scheduledAt, timeZone),
  };
}

/** Whether a change was sent: it stays in the queue for a moment. */
export function isSent({ sentAt }: QueuedChange): boolean {
  return sentAt !== undefined;
}

/** What is shown in place of the phone number of a job whose accept waits. */
export const phoneLater = 'The phone number shows when the signal is back.';

/** The name of the button that takes a change out, for screen readers. */
export function removeLabel(change: StoredChange, clock: Clock): string {
  return `Take back: ${changeInWords(change, clock)}`;
}

function timeOf(at: number, { timeZone }: Clock): string {
  return formatTime(new Date(at), timeZone);
}
