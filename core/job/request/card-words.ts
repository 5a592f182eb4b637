import { hidesContact, type JobStatus } from '#core/job/status/statuses.ts';
import { shownText } from '#core/job/withheld-fields.ts';
import { onOneLine, truncate } from '#core/values/text.ts';

/** What the card of a request has of it in the customer's words: empty where nothing was said, and once it is accepted. */
export type CardWords = Readonly<{ words: string; preferredTime: string }>;

type Told = Readonly<{
  status: JobStatus;
  erasureDueAt: string | null;
  erasedAt: string | null;
  description: string;
  wishedTime: string;
}>;

/** In characters: two lines of a card, and one. */
const most = { words: 140, preferredTime: 60 } as const;

/**
 * What the customer wrote and when it suits them, as a card has room for it. Contact is hidden in the whole text before it is cut:
 * the half of a number at the cut would read as none.
 */
export function cardWords(job: Told): CardWords {
  if (!hidesContact(job.status) || job.erasedAt !== null) return { words: '', preferredTime: '' };
  const cut = (text: string, limit: number) => truncate(shownText(job, onOneLine(text)), limit);
  return { words: cut(job.description, most.words), preferredTime: cut(job.wishedTime, most.preferredTime) };
}
