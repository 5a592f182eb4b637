import { carryOver as carried, formChangedMessage } from '#core/values/former-answers.ts';
import { isMapOf, isText, readShaped } from '#site/lib/shape.ts';
import { type FormValues, readValues } from '#site/ui/plain-form/form-body.ts';
import { type Refusals, showNotice, showProblems } from '#site/ui/plain-form/form-messages.ts';

/** `before`: the questions of the form in which the answers were given, as text; `asked`: those of this one. */
type Questions = Readonly<{ before: string | undefined; asked: FormValues; refusals: Refusals }>;

/**
 * Puts answers to what a form does not ask any more into its description, says so there, and leads to what it asks since. Answers those
 * for which the description has no room: they stand beside it.
 */
export function carryOver(
  form: HTMLFormElement,
  former: FormValues,
  { before, asked, refusals }: Questions,
): FormValues {
  const description = form.querySelector<HTMLTextAreaElement>('#description');
  if (!description) return former;
  const words = readShaped(before ?? null, isMapOf(isText));
  const answers = Object.entries(former).map(([name, answer]) => {
    return { name, question: words?.[name] ?? '', answer };
  });
  const result = carried(description.value, answers);
  description.value = result.description;
  const isNew = (name: string) => words !== null && words[name] === undefined;
  const added = Object.keys(asked).filter(isNew);
  const beside = Object.fromEntries(added.map((name) => [name, 'This question is new']));
  const fields = { description: result.message, ...beside };
  // What is said of a field stays until it holds something else.
  refusals.take(fields, readValues(form));
  showNotice(form, formChangedMessage);
  showProblems(form, fields);
  if (added[0]) form.querySelector<HTMLElement>(`[name="${CSS.escape(added[0])}"]`)?.focus();
  return Object.fromEntries(result.left.map(({ name, answer }) => [name, answer]));
}
