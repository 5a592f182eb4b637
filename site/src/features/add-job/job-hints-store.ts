import { atom, type ReadableAtom } from 'nanostores';
import { isEmail, normaliseEmail } from '#core/values/contact.ts';
import { truncate } from '#core/values/text.ts';
import { isPhoneSomewhere } from '#core/values/typed-phone.ts';
import { listInWords } from '#site/lib/form.ts';
import { type AnswerOf, type QueryOf, request } from '#site/lib/http/api.ts';
import { formatDateTime, formatDay } from '#site/lib/time/moments.ts';
import { chosenInstant } from '#site/ui/schedule/schedule-choice.ts';
import { carryToast } from '#site/ui/toast/carried-toast.ts';
import { toast } from '#site/ui/toast/toast.ts';
import type { JobForm } from './job-form.ts';

/** What other jobs have in common with the one being typed. `scheduledAt` and `createdAt` are instants. */
export type JobHints = AnswerOf<'GET', '/jobs/hints'>['hints'];

export const noHints: JobHints = { overlaps: [], repeats: [] };
const pause = 500;

/** Hints for a form that is being typed, asked for by `ask`. */
export function createJobHints(ask: typeof request) {
  const hints = atom<JobHints>(noHints);
  let asked = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = new AbortController();

  /** Asks, half a second after the last change, whether other jobs are at that time or have the same contact or address. */
  function look(form: JobForm, timeZone: string): void {
    const question = questionOf(form, timeZone);
    if (question === asked) return;
    asked = question;
    clearTimeout(timer);
    running.abort();
    if (question === '') hints.set(noHints);
    else timer = setTimeout(() => void load(question), pause);
  }

  /** No answer is no hint: they are worth reading, and nothing waits for them. */
  async function load(question: string): Promise<void> {
    running = new AbortController();
    const { signal } = running;
    try {
      const found = await ask('GET', `/jobs/hints?${question}`, { signal });
      if (!signal.aborted) hints.set(found.hints);
    } catch {
      if (!signal.aborted) hints.set(noHints);
    }
  }

  return { $hints: hints as ReadableAtom<JobHints>, look };
}

/** The hints of this page's form. */
export const { $hints: $jobHints, look: lookForHints } = createJobHints(request);

export function hasHints({ overlaps, repeats }: JobHints): boolean {
  return overlaps.length + repeats.length > 0;
}

/** Only what is complete is compared. */
function questionOf({ schedule, phone, email, address }: JobForm, timeZone: string): string {
  const scheduledAt = chosenInstant(schedule, timeZone);
  return new URLSearchParams({
    ...(scheduledAt ? { scheduledAt } : {}),
    ...(isPhoneSomewhere(phone) ? { phone } : {}),
    ...(isEmail(normaliseEmail(email)) ? { email } : {}),
    ...(address.chosen ? { address: address.chosen.address } : {}),
  } satisfies QueryOf<'GET', '/jobs/hints'>).toString();
}

/** A sentence around the link to another job. */
export type HintLine = Readonly<{ id: string; before: string; title: string; behind: string }>;

/** Hints in words, with times on the clocks of an IANA zone. */
export function hintLines({ overlaps, repeats }: JobHints, timeZone: string, now: Date): HintLine[] {
  return [
    ...overlaps.map(({ id, title, name, scheduledAt }) => ({
      id,
      before: 'Overlaps with',
      title: truncate(title),
      behind: ` for ${truncate(name)}, ${formatDateTime(scheduledAt, timeZone, now)}`,
    })),
    ...repeats.map(({ id, title, createdAt, same }) => ({
      id,
      before: `Same ${listInWords(same)} as`,
      title: truncate(title),
      behind: `, added ${formatDay(createdAt, timeZone)}`,
    })),
  ];
}

/** The same in one text, for a toast. */
export function hintsInWords(hints: JobHints, timeZone: string, now: Date): string {
  const lines = hintLines(hints, timeZone, now).map(
    ({ before, title, behind }) => `${before} ${title}${behind}`,
  );
  return lines.join('. ');
}

const createdMessage = 'Job created successfully';

/** Shows that the job is made, on this page or on the next. Hints that came too late for the form are shown now. */
export function announceJob(hints: JobHints, timeZone: string, where: 'here' | 'next page'): void {
  const show =
    where === 'here' ? (kind: 'success' | 'warning', text: string) => toast[kind](text) : carryToast;
  show('success', createdMessage);
  if (hasHints(hints) && !hasHints($jobHints.get()))
    show('warning', hintsInWords(hints, timeZone, new Date()));
}
