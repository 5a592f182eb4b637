import { statusesOf } from '#core/job/lists.ts';
import type { JobStatus, WorkingStatus } from '#core/job/statuses.ts';
import type { Topic } from './intent.ts';

/** Jobs that words describe. `asks` names a question of its own, `working` a status that can be given on a day. */
type StatusWords = Readonly<{
  statuses: readonly JobStatus[];
  /** Follows a number: `3 to quote`. */
  label: string;
  working?: WorkingStatus;
  asks?: 'waiting' | 'new' | 'in-progress';
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
    /\b(unpaid|owes?|owing|owed|not (been )?paid|haven't paid|hasn't paid|outstanding|waiting (on|for) (payment|money)|invoiced?|invoices|invoice sent|billed?)\b/,
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
export function statusIn(text: string): StatusWords | null {
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
  [/\b(how|where)\b.*\b(add|create|enter|put in|make)\b.*\bjob\b|^(add|create|new) a? ?(new )?job$/, 'add'],
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
export function topicIn(text: string): Topic | null {
  return words.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
