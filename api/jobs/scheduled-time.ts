import { type } from 'arktype';
import { InvalidInputError } from '#core/kernel/errors.ts';
import { slotProblem } from '#core/values/time.ts';

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/** An instant of a day that exists (2026-02-30 does not), with a time and an offset. */
export const Instant = type('string <= 40').narrow(
  (text, ctx) => isInstant(text) || ctx.reject({ message: 'Choose a day and a time' }),
);

export function isInstant(text: string): boolean {
  if (!INSTANT.test(text) || Number.isNaN(Date.parse(text))) return false;
  const day = text.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

/** The one spelling in which instants are stored: UTC with milliseconds. */
export function storedInstant(text: string | null): string | null {
  return text === null ? null : new Date(text).toISOString();
}

/** Throws InvalidInputError unless a job can be scheduled then: a slot of the business's day, from now on. */
export function assertSlot(scheduledAt: string | null, when: { timeZone: string; now: Date }): void {
  if (scheduledAt === null) return;
  const problem = slotProblem(new Date(scheduledAt), when.timeZone, when.now);
  if (problem) throw new InvalidInputError('Please check what you entered', { scheduledAt: problem });
}
