import type { Deps } from '#api/deps.ts';
import { isEnquiryFormEvent } from '#core/enquiry-form/events.ts';
import { questionHistory } from '#core/enquiry-form/question-history.ts';
import { typedEvents } from '#core/event-store/codec.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { carryOver } from '#core/values/former-answers.ts';
import type { FoundForm } from '#projections/public-form/read.ts';
import type { PageForm } from './page-post.ts';

/** How a form goes back to who filled in an older one: the description with what it asks no more, and what stands beside the fields. */
export type ChangedForm = Readonly<{ description: string; fields: Readonly<Record<string, string>> }>;

const PREFIX = 'answer.';
const reworded = 'This question has other words now';

/**
 * What becomes of answers to questions that the form had and does not ask any more; null where there are none. The log says which those
 * are, so that what else a page or an extension of a browser sends is no question of it. Throws as reading the log does.
 */
export async function changedForm(
  { store }: Pick<Deps, 'store'>,
  { businessId, form }: FoundForm,
  posted: PageForm,
): Promise<ChangedForm | null> {
  const asked = new Set(form.questions.map(({ id }) => id));
  const unknown = Object.entries(posted)
    .filter(([name, answer]) => name.startsWith(PREFIX) && answer.trim() !== '')
    .map(([name, answer]) => ({ id: name.slice(PREFIX.length), answer }))
    .filter(({ id }) => !asked.has(id));
  if (unknown.length === 0) return null;
  const recorded = await store.readStream(streamName('enquiryForm', businessId));
  const events = typedEvents(isEnquiryFormEvent, recorded).flatMap(({ event }) => event ?? []);
  const { words, became } = questionHistory(events);
  const former = unknown.flatMap(({ id, answer }) => {
    const question = words.get(id);
    return question === undefined ? [] : [{ id, question, answer }];
  });
  if (former.length === 0) return null;
  const { description, message } = carryOver(posted['description'] ?? '', former);
  const changed = former.flatMap(({ id }) => became(id) ?? []).filter((id) => asked.has(id));
  const beside = changed.map((id) => [PREFIX + id, reworded] as const);
  return { description, fields: { description: message, ...Object.fromEntries(beside) } };
}
