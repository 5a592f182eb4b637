import type { Clock } from '#api/assistant/assistant.ts';
import { isEmail, normaliseEmail } from '#core/values/contact.ts';
import { isJobSlot, type JobSlot } from '#core/values/time.ts';
import { readPhone } from '#core/values/typed-phone.ts';
import { type Intent, jobOf, type NewJob } from './intent.ts';
import { findPeriod } from './period.ts';

const MOVE =
  /^(?:move|reschedule|shift|push|bump|book|schedule|put|change|pencil|slot)(?: in)? (.+?)(?:'s)?(?: (?:back|forward|in|down|out|up))? (?:to|for|on|at|until|till|in on) (.+)$/i;
/** The same without a word between the job and the day. */
const MOVE_BARE =
  /^(?:move|reschedule|shift|push|bump|book|schedule) (.+?) ((?:today|tomorrow|tomoz|next|this|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?)\b.*)$/i;
const NO_JOB =
  /^(?:(?:a |an |the |my |me |in |for |on )*(?:meeting|time|day|week|schedule|password|logo|colour|name|email|number|profile|form|status)\b|(?:for|on|in|me|the)$)/i;
/** `To 3`, where a time is all that is named. */
const BARE_TIME = /^\d{1,2}(?:[:.]\d{2})?$/;
const TIME_OF = /^(?:the )?(?:time|booking|appointment|visit)(?: for| of) /i;

/** `Move Priya to Friday 2pm`: the day and the time that the words name, one of them at least. Null for any other message. */
export function readMove(text: string, clock: Clock, spoken: readonly string[]): Intent | null {
  const [, named = '', when] = MOVE.exec(text) ?? MOVE_BARE.exec(text) ?? [];
  const job = named.replace(TIME_OF, '');
  if (!job || !when || NO_JOB.test(job)) return null;
  const { day, slot, isTimeNamed } = readWhen(when.replace(BARE_TIME, 'at $&'), clock);
  if (day === null && !isTimeNamed) return null;
  // All jobs of a day are no one job.
  if (findPeriod(job.toLowerCase(), clock)) return { kind: 'cannot', job: null };
  return { kind: 'move', job: jobOf(job, spoken), day, slot, isTimeNamed };
}

/** What a text names of a day and a time. `slot` is null where the time is none that a job can begin at. */
type When = Readonly<{ day: string | null; slot: JobSlot | null; isTimeNamed: boolean }>;

function readWhen(text: string, clock: Clock): When {
  const lower = text.toLowerCase();
  const time = timeIn(lower);
  const period = findPeriod(time === null ? lower : lower.replace(time.text, ' ').trim(), clock)?.period;
  const isOneDay = period?.days.from === period?.days.to;
  return {
    day: period && isOneDay ? period.days.from : null,
    slot: time?.slot ?? null,
    isTimeNamed: time !== null,
  };
}

const CLOCK =
  /(?:\b(?:at|around|about) )?\b(\d{1,2})(?:[:.](\d{2}))? ?([ap])\.?m\b\.?|\b(?:at|around|about) (\d{1,2})(?:[:.](\d{2}))?(?: o'?clock)?(?!\d|\/|th|st|nd|rd)\b|\b(\d{1,2}):(\d{2})\b|\b(?:at )?(noon|midday)\b/;
/** Hours without their half of the day: those before eight are of the afternoon, as work begins at eight. */
const FIRST_HOUR = 8;

/** The first time of day that a text in small letters names, and the words that name it. */
function timeIn(text: string): Readonly<{ text: string; slot: JobSlot | null }> | null {
  const found = CLOCK.exec(text);
  if (!found) return null;
  const [whole, ofHalf, minuteOfHalf, half, atHour, atMinute, bareHour, bareMinute, noon] = found;
  const hour = noon ? 12 : Number(ofHalf ?? atHour ?? bareHour);
  const minute = (minuteOfHalf ?? atMinute ?? bareMinute ?? '00').padStart(2, '0');
  const named = half ? (hour % 12) + (half === 'p' ? 12 : 0) : hour;
  const onClock = !half && !noon && named < FIRST_HOUR ? named + 12 : named;
  const slot = `${String(onClock).padStart(2, '0')}:${minute}`;
  return { text: whole, slot: isJobSlot(slot) ? slot : null };
}

const NEW_JOB =
  /^(?:add|create|make|enter|put in|new|start|log)(?: me)?(?: (?:a|an|another|the))?(?: new)? (?:job|booking)\b[:,]?\s*(.*)$/i;
const EMAIL = /\S+@\S+\.\S+/;
const PHONE = /(?:\+|\b)\d[\d ()-]{7,}\d\b/;
/** What comes after `for`, up to a word that begins something else. */
const FOR = /\bfor ([^,:]+?)(?=\s+(?:at|in|on|to|who|about|re|tomorrow|today|next|this)\b|[,:]|$)/i;
const AT = /\b(?:at|in) ([^,:]*\d?[^:]*?)(?=\s+(?:for|on|tomorrow|today|next)\b|:|$)/i;
const TITLE = /(?::|\babout|\bre|\bto (?=[a-z]))\s*(.+)$/i;

/** `Add a job for Priya tomorrow 2pm: leaking tap`: the form opens with what the words name. */
export function readNewJob(text: string, clock: Clock): Intent | null {
  const rest = NEW_JOB.exec(text)?.[1];
  if (rest === undefined) return null;
  const email = EMAIL.exec(rest)?.[0] ?? '';
  const phone = PHONE.exec(rest.replace(email, ' '))?.[0] ?? '';
  const title = TITLE.exec(rest)?.[1] ?? '';
  const { day, slot } = readWhen(rest.replace(email, ' ').replace(phone, ' ').replace(title, ' '), clock);
  const words = withoutWhen(rest.replace(email, ' ').replace(phone, ' ').replace(title, ' '), clock);
  const filled: NewJob = {
    name: tidy(FOR.exec(words)?.[1]),
    email: isEmail(normaliseEmail(email)) ? normaliseEmail(email) : '',
    phone: readPhone(phone, clock.region) === null ? '' : phone.trim(),
    address: tidy(AT.exec(words)?.[1]),
    title: capital(tidy(title)),
    ...{ day, slot: day === null ? null : slot },
  };
  return { kind: 'add-job', filled };
}

function withoutWhen(text: string, clock: Clock): string {
  const time = timeIn(text.toLowerCase())?.text;
  const timeless = time ? text.replace(new RegExp(escaped(time), 'i'), ' ') : text;
  const named = findPeriod(timeless.toLowerCase(), clock);
  if (!named) return timeless;
  const left = new Set(named.rest.split(/\s+/));
  return timeless
    .split(/\s+/)
    .filter((word) => left.has(word.toLowerCase()) || !/[a-z0-9]/i.test(word))
    .join(' ');
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function tidy(text = ''): string {
  return text
    .replace(/[\s,.:;-]+$/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const CANNOT =
  /^(?:delete|remove|erase|send|invoice(?! sent)|bill|charge|refund|remind|order|buy|pay|assign|print|export|block|message|tell|write to|reply to|forward|copy|duplicate|split|merge|archive|raise|issue|chase|update|edit|rename|correct|change|move|reschedule|postpone|delay)\b(?: me\b| to\b)? ?(.*)$/i;
/** A person alone to ring or write to is no order: their number is the answer. */
const MESSAGE =
  /^(?:text|sms|email|call|ring|phone) (?!for |of |number)(.+?) (?:that|and|about|to say|saying|i'm|i am|i'll|we're|we are|you're|the|a|my|back)\b.*$/i;
/** Of an order, whom it is about: `a message to Sal about the tap` → Sal. */
const TO_WHOM = /^.*\b(?:to|for|of|call|ring|phone|text|email) (.+)$/i;
const ABOUT =
  /(?:'s)?(?: (?:an?|the|that|about|i'm|i am|to|on|at|tomorrow|today|next|jobs?|invoices?|quotes?|bills?|messages?|address|number|phone|email|name|details|photos?|receipts?)\b.*)$/i;

/** A message or call to a customer with words of its own. Null for any other message. */
export function readMessage(text: string, spoken: readonly string[]): Intent | null {
  const whose = MESSAGE.exec(text)?.[1];
  return whose ? { kind: 'cannot', job: jobOf(whose, spoken) } : null;
}

/** An order that no press of a button in an answer carries out, and the job that it is about. Null for any other message. */
export function readCannot(text: string, spoken: readonly string[]): Intent | null {
  const ordered = CANNOT.exec(text)?.[1];
  if (ordered === undefined) return null;
  const whom = TO_WHOM.exec(ordered)?.[1] ?? ordered.replace(/^(?:the|an?|that) /i, '');
  const whose = whom.replace(ABOUT, '').trim();
  return { kind: 'cannot', job: whose === '' ? null : jobOf(whose, spoken) };
}
