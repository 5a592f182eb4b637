import type { Clock, Earlier } from '#api/assistant/assistant.ts';
import { type JobStatus, statusesOf, type WorkingStatus } from '#core/job/status/statuses.ts';
import { type Intent, pointedAt, readRequest, spokenOf, type Topic, withoutManners } from './intent.ts';
import { readCannot, readMessage, readMove, readNewJob } from './orders.ts';
import { findPeriod, partIn } from './period.ts';

const SMALL_TALK: readonly (readonly [RegExp, 'greeting' | 'thanks' | 'press' | 'help'])[] = [
  [/^(hi|hey|hello|g'?day|good (morning|afternoon|evening)|morning|yo)( there)?( kel| mate)?$/, 'greeting'],
  [
    /^(thanks|thank you|ta|cheers|legend|no|nah|nice one|good on ya|sweet as)( kel| mate| heaps| so much)*$/,
    'thanks',
  ],
  [/^(yes|yep|yeah|yup|sure|do it|go ahead|go on|confirm)( please| thanks| kel| mate)*$/, 'press'],
  [/^(help|what can (you|i) (do|ask|answer).*|what do you (do|know).*|how do you work)$/, 'help'],
];
const PAST =
  /\b(did|have|has|got|were|was|came|sent|i've|been)\b|\b(quoted|invoiced|finished|completed|rejected)\b/;
const COUNTING = /\b(how many|number of|count)\b/;

/** What a message asks after what went before, on the business's clock. Never fails: what it does not know is `unknown`. */
export function understand(message: string, clock: Clock, earlier: readonly Earlier[] = []): Intent {
  const asked = message
    .replace(/[’‘`]/g, "'")
    .replace(/\b(what|where|who|when)s\b/gi, "$1's")
    .replace(/\s+/g, ' ')
    .trim();
  const text = plain(asked);
  const before = intentBefore(earlier, clock);
  const spoken = spokenOf(earlier);
  const follows = readDayFollowUp(text, clock, before) ?? readChoice(text, spoken, before);
  if (follows) return follows;
  const bare = withoutManners(asked);
  const request =
    readNewJob(bare, clock) ??
    readMove(bare, clock, spoken) ??
    readMessage(bare, spoken) ??
    readRequest(bare, spoken);
  if (request) return request;
  const talk = SMALL_TALK.find(([pattern]) => pattern.test(text));
  if (talk) return { kind: talk[1] };
  const topic = topicIn(text);
  if (topic) return { kind: 'how', topic };
  return readCannot(bare, spoken) ?? aboutJobs(text, clock);
}

/** `The second one`: which of the jobs that were shown is meant, by what was asked of them. */
function readChoice(text: string, spoken: readonly string[], before: Intent | null): Intent | null {
  const job = spoken.length > 0 ? pointedAt(text, spoken) : null;
  if (!job) return null;
  return before && 'job' in before ? { ...before, job } : { kind: 'find', job };
}

/** The last question but small talk: what another day is asked of. */
function intentBefore(earlier: readonly Earlier[], clock: Clock): Intent | null {
  const last = earlier.at(-1);
  if (!last) return null;
  const before = earlier.slice(0, -1);
  const intent = understand(last.question, clock, before);
  return intent.kind === 'thanks' || intent.kind === 'greeting' ? intentBefore(before, clock) : intent;
}

function aboutJobs(text: string, clock: Clock): Intent {
  const period = findPeriod(text, clock)?.period;
  const status = statusIn(text);
  if (/\b(overdue|behind on|unfinished|not finished|missed|slipped)\b/.test(text)) return { kind: 'overdue' };
  if (status?.working && period && PAST.test(text)) {
    return { kind: 'given-status', status: status.working, period };
  }
  if (/\b(urgent|urgently|emergenc(?:y|ies))\b/.test(text)) return { kind: 'urgent' };
  if (status?.asks === 'waiting') return { kind: 'waiting' };
  if (status?.asks === 'unpaid' && !period) return { kind: 'unpaid' };
  if (COUNTING.test(text) && !period) {
    if (status?.asks === 'new') return { kind: 'count', of: 'new' };
    if (status?.asks === 'in-progress') return { kind: 'count', of: 'inProgress' };
    if (!status && /\b(jobs?|work)\b/.test(text)) return { kind: 'count', of: 'all' };
  }
  if (status?.asks === 'new') return { kind: 'new' };
  if (period) return { kind: 'schedule', period };
  if (status) return { kind: 'status', statuses: status.statuses, label: status.label };
  if (
    /\b(next|first) (job|one|up|stop|customer)\b|\b(what's|whats|what is|who's|where am i) (up )?next\b/.test(
      text,
    )
  )
    return { kind: 'next' };
  if (
    /\b(summary|how (are|is|'s) (things|it|business|we)|how'?s (things|it|business)|overview|where am i at|snapshot)\b/.test(
      text,
    )
  )
    return { kind: 'summary' };
  return { kind: 'unknown' };
}

/** Small letters without marks; slashes stay, as in 24/11. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}'/ -]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const FILLER =
  /^(and|ok|okay|so|then|what|what's|whats|how|about|on|for|in|the|of|at|or|day|after|before|arvo|afternoon|morning|morn|mornin|evening|lunch|'s)$/;

/**
 * Days without a question of their own, such as `what about Friday` or `and in the arvo`: what was asked before is asked of
 * them. Null for any other text, which is in small letters.
 */
function readDayFollowUp(text: string, clock: Clock, before: Intent | null): Intent | null {
  const found = findPeriod(text, clock);
  const part = partIn(text);
  if (!found && part === null) return null;
  const rest = (found?.rest ?? text).split(/\s+/).filter(Boolean);
  if (!rest.every((word) => FILLER.test(word))) return null;
  if (found && before?.kind === 'given-status') return { ...before, period: found.period };
  if (found) return { kind: 'schedule', period: found.period };
  if (before?.kind === 'schedule') return { kind: 'schedule', period: { ...before.period, part } };
  const today = findPeriod(`today ${text}`, clock);
  return today && { kind: 'schedule', period: today.period };
}

/** Jobs that words describe. `asks` names a question of its own, `working` a status that can be given on a day. */
type StatusWords = Readonly<{
  statuses: readonly JobStatus[];
  /** Follows a number: `3 to quote`. */
  label: string;
  working?: WorkingStatus;
  asks?: 'waiting' | 'new' | 'in-progress' | 'unpaid';
}>;

const known: readonly (readonly [RegExp, StatusWords])[] = [
  [
    /\bwait\w*\b.*\blong\w*|\blong\w*\b.*\bwait|\b(wait(s|ing)?|need(s|ing)?|want(s|ing)?) (on |for )?(an? |my )?(answer|reply|response)\b|\bwaiting (on|for) me\b|\bwho('s| is| has)( been)? waiting\b|\b(pending|unanswered|haven't (answered|replied))\b|\bto answer\b|\bget back to\b/,
    { statuses: ['Pending'], label: 'waiting on your answer', asks: 'waiting' },
  ],
  [
    /\bto quote\b|\b(need|needs|needing|want|wants) (a |to be )?(quote|quotes|quoting|quoted)\b|\b(not|haven't|unquoted|still to) ?(quoted?|price)?\b.*\bquote|\bto price\b/,
    { statuses: ['To quote'], label: 'to quote', working: 'To quote' },
  ],
  [
    /\b(unpaid|owes?|owing|owed|not (been )?paid|haven't paid|hasn't paid|yet to pay|waiting (on|for) (payment|money))\b/,
    {
      ...{ statuses: ['Invoice sent'], label: 'with the invoice sent', working: 'Invoice sent' },
      asks: 'unpaid',
    },
  ],
  [
    /\b(outstanding|invoiced?|invoices|invoice sent|billed?)\b/,
    { statuses: ['Invoice sent'], label: 'with the invoice sent', working: 'Invoice sent' },
  ],
  [/\b(paid|payments?)\b/, { statuses: ['Paid'], label: 'paid', working: 'Paid' }],
  [/\b(quoted|quotes?( out| sent)?)\b/, { statuses: ['Quoted'], label: 'quoted', working: 'Quoted' }],
  [
    /\b(unsuccessful|lost|missed out on|didn't (get|win))\b/,
    { statuses: ['Unsuccessful'], label: 'unsuccessful', working: 'Unsuccessful' },
  ],
  [
    /\b(completed?|finished?|done|wrapped up)\b/,
    { statuses: ['Completed'], label: 'completed', working: 'Completed' },
  ],
  [/\b(rejected|declined|knocked back|turned down)\b/, { statuses: ['Rejected'], label: 'rejected' }],
  [
    /\b(in progress|on the go|underway|under way|working on|current|active)\b/,
    { statuses: statusesOf('in-progress'), label: 'in progress', asks: 'in-progress' },
  ],
  [
    /\b(new|fresh) (jobs?|work|requests?|enquir(y|ies)|leads?|ones?|customers?)\b|\b(anything|what's|whats|something) new\b|\b(come|came|coming) in\b|\b(requests?|enquir(y|ies)|leads?)\b/,
    { statuses: ['Pending'], label: 'new', asks: 'new' },
  ],
];

/** Which jobs a question is about, by their status; null when it names none. The text is in small letters. */
function statusIn(text: string): StatusWords | null {
  return known.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

const words: readonly (readonly [RegExp, Topic])[] = [
  [
    /\bquestions?\b.*\b(form|enquir|customers?|ask)|\bform\b.*\bquestions?\b|\b(edit|change) my form\b/,
    'questions',
  ],
  [
    /\b(share|link|copy|send|address|url)\b.*\bform\b|\bform\b.*\b(link|share)\b|\bmy (job|public|booking) form\b/,
    'form',
  ],
  [/\b(how|where)\b.*\b(add|create|enter|put in|make)\b.*\bjob\b/, 'add'],
  [/\b(notifications?|alerts?|text me|email me|sms)\b/, 'alerts'],
  [/\b(password|security|devices)\b/, 'password'],
  [
    /\b(how|where)\b.*\b(schedule|book in|reschedule|move|change the time)\b|^(reschedule|book in|schedule (?!for|on|today|tomorrow|this|next))\b/,
    'time',
  ],
  [/\b(my|change|update|edit|upload)\b.*\b(logo|profile|business name|details|colour|intro)\b/, 'profile'],
  [/\b(log|sign) ?(me )?(out|off)\b/, 'logout'],
];

/** The part of the product that a question is about; null when it is about none. The text is in small letters. */
function topicIn(text: string): Topic | null {
  return words.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
