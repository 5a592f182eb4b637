import type { Topic } from './intent.ts';

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
