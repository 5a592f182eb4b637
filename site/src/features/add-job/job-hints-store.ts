import { atom } from 'nanostores';
import { isEmail, normaliseEmail, parsePhone } from '#core/values/contact.ts';
import { request } from '#site/lib/http/api.ts';
import { chosenInstant } from '#site/ui/schedule/schedule-choice.ts';
import type { JobForm } from './job-form.ts';

type Other = Readonly<{ id: string; title: string; name: string }>;

/** What other jobs have in common with the one being typed. `scheduledAt` and `createdAt` are instants. */
export type JobHints = Readonly<{
  overlaps: readonly (Other & Readonly<{ scheduledAt: string }>)[];
  repeats: readonly (Other &
    Readonly<{ createdAt: string; same: readonly ('phone' | 'email' | 'address')[] }>)[];
}>;

export const noHints: JobHints = { overlaps: [], repeats: [] };
const pause = 500;

const hints = atom<JobHints>(noHints);
export const $jobHints = hints;

let asked = '';
let timer: ReturnType<typeof setTimeout> | undefined;
let running = new AbortController();

/** Asks, half a second after the last change, whether other jobs are at that time or have the same contact or address. */
export function lookForHints(form: JobForm, timeZone: string): void {
  const question = questionOf(form, timeZone);
  if (question === asked) return;
  asked = question;
  clearTimeout(timer);
  running.abort();
  if (question === '') hints.set(noHints);
  else timer = setTimeout(() => void load(question), pause);
}

export function hasHints({ overlaps, repeats }: JobHints): boolean {
  return overlaps.length + repeats.length > 0;
}

/** No answer is no hint: they are worth reading, and nothing waits for them. */
async function load(question: string): Promise<void> {
  running = new AbortController();
  const { signal } = running;
  try {
    const found = await request('GET', `/jobs/hints?${question}`, { signal });
    if (!signal.aborted) hints.set(found.hints);
  } catch {
    if (!signal.aborted) hints.set(noHints);
  }
}

/** Only what is complete is compared. */
function questionOf({ schedule, phone, email, address }: JobForm, timeZone: string): string {
  const scheduledAt = chosenInstant(schedule, timeZone);
  return new URLSearchParams({
    ...(scheduledAt ? { scheduledAt } : {}),
    ...(parsePhone(phone) ? { phone } : {}),
    ...(isEmail(normaliseEmail(email)) ? { email } : {}),
    ...(address.chosen ? { address: address.chosen.address } : {}),
  }).toString();
}
