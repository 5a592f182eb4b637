import type { Earlier, Proposal } from '#api/assistant/assistant.ts';
import { type JobStatus, type WorkingStatus, workingStatuses } from '#core/job/status/statuses.ts';
import type { JobSlot } from '#core/values/time.ts';
import type { Period } from './period.ts';

/** Words that a job is looked for by, and the place it is at where one was named. */
type JobWords = Readonly<{ words: string; place: string | null }>;
/** Jobs that an answer of before showed; none: nothing was spoken of yet. */
type SpokenJobs = Readonly<{ ids: readonly string[] }>;
export type JobRef = JobWords | SpokenJobs;

/** Parts of the product that the assistant can point at. */
export const topics = [
  'form',
  'questions',
  'add',
  'alerts',
  'password',
  'profile',
  'time',
  'logout',
] as const;
export type Topic = (typeof topics)[number];

export type Change = Readonly<Exclude<Proposal['change'], { kind: 'notes' | 'schedule' }>>;

/**
 * A job that is to be at another time: `day` as `YYYY-MM-DD` where words name one, else its own; `slot` null where they name no time
 * (`isTimeNamed` false: its own), or one that no job begins at.
 */
export type Move = Readonly<{
  kind: 'move';
  job: JobRef;
  day: string | null;
  slot: JobSlot | null;
  isTimeNamed: boolean;
}>;

/** What the Add-job form opens with, as it was typed; '' and null where words name nothing. */
export type NewJob = Readonly<{
  name: string;
  email: string;
  phone: string;
  address: string;
  title: string;
  day: string | null;
  slot: JobSlot | null;
}>;

/** What a tradie wants to know or do, as far as the words tell. */
export type Intent =
  | Readonly<{ kind: 'schedule'; period: Period }>
  | Readonly<{ kind: 'next' | 'overdue' | 'waiting' | 'new' | 'urgent' | 'unpaid' | 'summary' }>
  | Readonly<{ kind: 'count'; of: CountedList }>
  | Readonly<{ kind: 'status'; statuses: readonly JobStatus[]; label: string }>
  | Readonly<{ kind: 'given-status'; status: WorkingStatus; period: Period }>
  | Readonly<{ kind: 'find' | 'contact' | 'address'; job: JobRef }>
  | Readonly<{ kind: 'change'; job: JobRef; change: Change }>
  | Readonly<{ kind: 'note'; job: JobRef; note: string }>
  | Move
  | Readonly<{ kind: 'add-job'; filled: NewJob }>
  /** An order that Kel does not carry out; `job` is what it is about, where words name one. */
  | Readonly<{ kind: 'cannot'; job: JobRef | null }>
  | Readonly<{ kind: 'how'; topic: Topic }>
  | Readonly<{ kind: 'greeting' | 'thanks' | 'press' | 'help' | 'unknown' }>;
export type CountedList = 'new' | 'inProgress' | 'all';

const POLITE =
  /^(?:(?:and|ok|okay|then|right|now|yes|yep|yeah),? |please |kel,? |hey kel,? |can you |could you |can i |i want to |let's |go ahead and )+/i;
const NOTE =
  /^(?:(?:add|draft|write|make|leave|jot|put)(?: down)?(?: me)? (?:a |another )?)?note (?:for|on|to|about|against) (.+?)(?::| that | saying | to say )\s*(.+)$/i;
const NOTE_ON_IT =
  /^(?:(?:add|draft|write|make|leave|jot|put)(?: down)? (?:a |another )?)?note(?::| that| saying)\s*(.+)$/i;
const SET = /^(?:mark|set|move|change|switch) (.+?) (?:as|to)(?: be)? (.+)$/i;
const ANSWER =
  /^(?:(accept|take on|take|reject|decline|knock back|turn down) (.+)|(?:knock|turn) (.+) (?:back|down))$/i;
/** A job that the customer called off is one of the unsuccessful. */
const CANCEL = /^cancel (?!my |the subscription|account|plan)(.+)$/i;
/** The same of what was spoken of, without naming it. */
const ANSWER_IT = /^(?:(accept|take on)|reject|decline|knock back|turn down)$/i;
const SET_IT =
  /^(?:mark|set|move|change)(?: (?:it|that|this|that one|this one))?(?: (?:as|to)(?: be)?)? (.+)$/i;
const CONTACT =
  /^(?:what(?:'s| is)|give me|get me|i need|show me)? ?(.+?)(?:'s|s')? (?:phone number|mobile number|number|phone|mobile|email address|email|contact details|contact|details)$/i;
const ONLY_CONTACT =
  /^(?:phone number|mobile number|number|phone|mobile|email address|email|contact details|contact)$/i;
const ADDRESS =
  /^(?:(?:what(?:'s| is)|give me|get me|show me)? ?(.+?)(?:'s|s')? (?:street )?address|(?:what(?:'s| is) )?(?:the )?address (?:for|of) (.+)|(address))$/i;
const CONTACT_OF =
  /^(?:what(?:'s| is)|give me|get me|show me)? ?(?:the )?(?:phone number|number|phone|mobile|email|contact details|contact) (?:for|of) (.+)$/i;
const CALL = /^(?:call|ring|phone|text|email) (.+)$/i;
const FIND =
  /^(?:find|search for|search|look up|look for|pull up|bring up|open|where(?:'s| is)|who(?:'s| is)|what about|tell me about|have i got anything for) (.+)$/i;
/** The jobs of a place: `jobs in Fitzroy`, but neither `in progress` nor `in December`. */
const IN_PLACE =
  /^(?:(?:any|what|which|show me|show|list|how many|are there any|have i got|do i have)(?: the| my| any)? )*(?:jobs?|work)(?: (?:have i got|do i have|are there|is there))? (?:in|around|near|out in|over in) (?!progress\b|the (?:next|last|past|coming|morning|afternoon|evening|arvo)\b|(?:\d|one|two|three|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*)(.{3,})$/i;
/** A reference, named as one. Many have no digit. */
const NAMED_REFERENCE =
  /^(?:#|(?:the )?(?:job )?(?:with )?(?:the )?ref(?:erence)?(?: number| no)?[.:]? #?)([\da-z]{6})$/i;
/** One on its own has a digit, or capitals alone, so that no word of six letters is taken for one. */
const REFERENCE = /^(?:(?=[A-Za-z]*\d)[\dA-Za-z]{6}|[A-Z]{6})$/;
/** Asks for more of what was spoken of. */
const MORE =
  /^(?:(?:when|where|who|what)(?:'s| is| was) (?:it|that|this)(?: (?:for|at|on|about|booked))*|is (?:it|that) .{2,30}|(?:tell me |show me )?more(?: about (?:it|that))?|(?:the )?details|show me(?: it| that)?)$/i;
/** What could be meant by such words is a list or a day, not one job. */
const NO_JOB =
  /^(?:my|the|all|any|me)?\s*(?:schedule|day|week|jobs?(?! (?:for|at|from|in|of|with)\b)|been|next|new|today|tomorrow|work|first|waiting|overdue|it|that|number|next job)\b/i;
const ONE_JOB = /^(?:the |my |a )?(?:jobs? |work )?(?:for |from |at |of |with )?/i;
const PLACE = /^(.*?)\s*\b(?:in|at|from|near|over in|out in|out at) (.+)$/i;

/** A message without what is only polite. Case and marks inside are as typed. */
export function withoutManners(message: string): string {
  return message
    .replace(POLITE, '')
    .replace(/[?!.]+$/, '')
    .replace(/(?:,? (?:please|thanks|cheers|mate|kel))+$/i, '')
    .trim();
}

/** A message that is about one job, or asks for a change of it; null for any other. `spoken` are the jobs that "it" may mean. */
export function readRequest(text: string, spoken: readonly string[]): Intent | null {
  return (
    readNote(text, spoken) ??
    readChange(text, spoken) ??
    readAddress(text, spoken) ??
    readContact(text, spoken) ??
    readFind(text, spoken)
  );
}

function readNote(text: string, spoken: readonly string[]): Intent | null {
  const [, job, note] = NOTE.exec(text) ?? [];
  if (job && note) return { kind: 'note', job: jobOf(job, spoken), note: note.trim() };
  const more = NOTE_ON_IT.exec(text)?.[1];
  return more ? { kind: 'note', job: { ids: spoken }, note: more.trim() } : null;
}

function readChange(text: string, spoken: readonly string[]): Intent | null {
  const [, job, name] = SET.exec(text) ?? [];
  const status = name && statusCalled(name);
  if (job && status) return { kind: 'change', job: jobOf(job, spoken), change: { kind: 'status', status } };
  const cancelled = CANCEL.exec(text)?.[1];
  if (cancelled)
    return {
      kind: 'change',
      job: jobOf(cancelled, spoken),
      change: { kind: 'status', status: 'Unsuccessful' },
    };
  const short = spoken.length > 0 ? changeOfSpoken(text) : null;
  if (short) return { kind: 'change', job: { ids: spoken }, change: short };
  const [, verb = '', other, back] = ANSWER.exec(text) ?? [];
  const answered = other ?? back;
  if (!answered) return null;
  const kind = /^(accept|take)/i.test(verb) ? 'accept' : 'reject';
  return { kind: 'change', job: jobOf(answered, spoken), change: { kind } };
}

function changeOfSpoken(text: string): Change | null {
  const answer = ANSWER_IT.exec(text);
  if (answer) return { kind: answer[1] ? 'accept' : 'reject' };
  const status = statusCalled(SET_IT.exec(text)?.[1] ?? '');
  return status && { kind: 'status', status };
}

function statusCalled(name: string): WorkingStatus | null {
  const spoken = name.trim().toLowerCase();
  const other: Record<string, WorkingStatus> = {
    ...{ done: 'Completed', complete: 'Completed', finished: 'Completed' },
    ...{ invoiced: 'Invoice sent', started: 'In progress' },
    ...{ lost: 'Unsuccessful', cancelled: 'Unsuccessful', canceled: 'Unsuccessful' },
  };
  return workingStatuses.find((status) => status.toLowerCase() === spoken) ?? other[spoken] ?? null;
}

function readAddress(text: string, spoken: readonly string[]): Intent | null {
  const [, whose, of, alone] = ADDRESS.exec(text) ?? [];
  const job = whose ?? of ?? (alone && 'it');
  if (!job || /\b(form|page|my|your|email|web|business)\b/i.test(job)) return null;
  const ref = pointedAt(job, spoken) ?? (isJob(job) ? wordsOf(job) : null);
  return ref && { kind: 'address', job: ref };
}

function readContact(text: string, spoken: readonly string[]): Intent | null {
  const named = CONTACT_OF.exec(text)?.[1] ?? CALL.exec(text)?.[1] ?? CONTACT.exec(text)?.[1];
  const job = ONLY_CONTACT.test(text) ? 'it' : named;
  const ref = job && (pointedAt(job, spoken) ?? (isJob(job) ? wordsOf(job) : null));
  return ref ? { kind: 'contact', job: ref } : null;
}

function readFind(text: string, spoken: readonly string[]): Intent | null {
  if (spoken.length > 0 && MORE.test(text)) return { kind: 'find', job: { ids: spoken } };
  const near = IN_PLACE.exec(text)?.[1];
  if (near) return { kind: 'find', job: { words: clean(near), place: null } };
  const job = FIND.exec(text)?.[1] ?? NAMED_REFERENCE.exec(text)?.[1] ?? REFERENCE.exec(text)?.[0];
  const pointed = job && spoken.length > 0 ? pointedAt(job, spoken) : null;
  const ref = pointed ?? (job && isJob(job) ? wordsOf(job) : null);
  return ref && { kind: 'find', job: ref };
}

/** The job that words of an order name. */
export function jobOf(text: string, spoken: readonly string[]): JobRef {
  return pointedAt(text, spoken) ?? wordsOf(text);
}

function isJob(words: string): boolean {
  return !NO_JOB.test(words) && !/\b(my|your|how|where|change|update|me)\b/i.test(words);
}

/** `the job for Aroha in Brunswick` → Aroha, in Brunswick. */
function wordsOf(text: string): JobWords {
  const [, before, place] = PLACE.exec(text) ?? [];
  const named = clean(before ?? text);
  const isNamed = named.length >= 3 && !/^(?:jobs?|work|one|anything)$/i.test(named);
  if (place && isNamed) return { words: named, place: clean(place) };
  return { words: place ? clean(place) : named, place: null };
}

function clean(text: string): string {
  const marks = /["“”?!.,]+/g;
  return text
    .replace(marks, ' ')
    .trim()
    .replace(ONE_JOB, '')
    .replace(/^(?:with )?(?:the )?ref(?:erence)?(?: number| no)?[.: ]+/i, '')
    .replace(/'s( jobs?)?$|s' jobs?$| jobs?$/i, '')
    .trim();
}

const THAT =
  /^(?:it|its|that|this|these|those|them|they|their|theirs|him|his|her|hers|the|(?:that|this|the) (?:one|job|customer))(?: (?:one|job|customer))?$/i;
const NTH =
  /^(?:the )?(first|1st|second|2nd|third|3rd|fourth|4th|fifth|5th|last)(?: (?:one|job|customer))?(?:'s)?$/i;
const places = ['first', 'second', 'third', 'fourth', 'fifth'];

/** The jobs of the last answer that showed some. */
export function spokenOf(earlier: readonly Earlier[]): readonly string[] {
  return earlier.findLast(({ jobs }) => jobs.length > 0)?.jobs ?? [];
}

/** What "it", "their" or "the second one" means after these jobs; null for words that name a job themselves. */
export function pointedAt(words: string, spoken: readonly string[]): SpokenJobs | null {
  const asked = words.trim();
  if (THAT.test(asked)) return { ids: spoken };
  const nth = NTH.exec(asked)?.[1]?.toLowerCase();
  if (nth === undefined) return null;
  const place = places.findIndex((name, index) => name === nth || nth.startsWith(`${index + 1}`));
  const id = nth === 'last' ? spoken.at(-1) : spoken[place];
  return { ids: id === undefined ? [] : [id] };
}
