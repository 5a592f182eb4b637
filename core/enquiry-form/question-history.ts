import type { EnquiryFormEvent } from './events.ts';
import { type EnquiryFormState, evolveEnquiryForm } from './state.ts';

/** The questions that a form had at some time, ticked or not. */
export type QuestionHistory = Readonly<{
  /** The words that were asked, by the id under which they were. */
  words: ReadonlyMap<string, string>;
  /** The id that a question has since its words were changed; null where they never were. It may be gone since. */
  became(id: string): string | null;
}>;

/** What a form asked over time, from all its events. */
export function questionHistory(events: readonly EnquiryFormEvent[]): QuestionHistory {
  const words = new Map<string, string>();
  const next = new Map<string, string>();
  let form: EnquiryFormState = null;
  for (const event of events) {
    form = evolveEnquiryForm(form, event);
    for (const { id, title } of form?.questions ?? []) words.set(id, title);
    if (event.type === 'QuestionReworded') next.set(event.data.questionId, event.data.newId);
  }
  const last = (id: string): string => {
    const later = next.get(id);
    return later === undefined ? id : last(later);
  };
  return { words, became: (id) => (next.has(id) ? last(id) : null) };
}
