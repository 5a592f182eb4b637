import type { Clock } from './assistant.ts';
import type { Intent } from './intent.ts';
import { isDayWord, partIn, periodIn } from './period.ts';

const FILLER = /^(and|ok|okay|so|then|what|what's|whats|how|about|on|for|in|the|of|at|or|day|after)$/;

/**
 * Days without a question of their own, such as `what about Friday` or `and in the arvo`: what was asked before is asked of
 * them. Null for any other text, which is in small letters.
 */
export function readDayFollowUp(text: string, clock: Clock, before: Intent | null): Intent | null {
  const words = text.split(' ');
  if (!words.some(isDayWord) || !words.every((word) => isDayWord(word) || FILLER.test(word))) return null;
  const period = periodIn(text, clock);
  if (period && before?.kind === 'given-status') return { ...before, period };
  if (period) return { kind: 'schedule', period };
  const part = partIn(text);
  if (part === null) return null;
  if (before?.kind === 'schedule') return { kind: 'schedule', period: { ...before.period, part } };
  const today = periodIn(`today ${text}`, clock);
  return today && { kind: 'schedule', period: today };
}
