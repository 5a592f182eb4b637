import { type FormValues, readValues } from './form-body.ts';

/** The messages of a form: beside each field, tied by its `aria-describedby`, and one above the button. */

/** Shows each field's message, clears the others, and moves to the first field that has one. */
export function showProblems(form: HTMLFormElement, problems: Readonly<Record<string, string>>): void {
  for (const error of form.querySelectorAll<HTMLElement>('.field__error')) {
    const name = nameOf(error);
    showProblem(form, name, problems[name] ?? null);
  }
  const first = [...form.elements].find(
    (control) => problems[control.getAttribute('name') ?? ''] !== undefined,
  );
  if (first instanceof HTMLElement) first.focus();
}

/** Shows or clears the message of one field. */
export function showProblem(form: HTMLFormElement, name: string, message: string | null): void {
  const error = form.querySelector<HTMLElement>(`[id="${CSS.escape(name)}-error"]`);
  const text = error?.querySelector('span');
  if (!error || !text) return;
  error.hidden = message === null;
  text.textContent = message;
  for (const control of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
    if (message === null) control.removeAttribute('aria-invalid');
    else control.setAttribute('aria-invalid', 'true');
  }
}

/** Shows above the button why the request has not been sent; null takes it away. */
export function showNotice(form: HTMLFormElement, message: string | null): void {
  const notice = form.querySelector<HTMLElement>('#notice');
  const text = notice?.querySelector('span');
  if (!notice || !text) return;
  text.textContent = message;
  // The fields that the server's page leads to are marked anew from here on.
  notice.querySelector('ul')?.remove();
  notice.hidden = message === null;
}

/** Takes the notice away once no field has a message any more. */
export function settleNotice(form: HTMLFormElement): void {
  if (Object.keys(shownProblems(form)).length === 0) showNotice(form, null);
}

/** The messages that stand beside the fields, by the fields' names. */
export function shownProblems(form: HTMLFormElement): Readonly<Record<string, string>> {
  const shown = [...form.querySelectorAll<HTMLElement>('.field__error:not([hidden])')];
  return Object.fromEntries(
    shown.map((error) => [nameOf(error), error.querySelector('span')?.textContent ?? '']),
  );
}

/** What the server refused of the fields. It applies for as long as a field holds the value that was refused. */
export type Refusals = Readonly<{
  /** Takes over an answer to `values`, in place of the one before. */
  take(fields: Readonly<Record<string, string>>, values: FormValues): void;
  /** What applies of it now, by the names of the fields. */
  current(): Readonly<Record<string, string>>;
}>;

/** Stores refusals with the values that they were about. */
export function refusalsOf(form: HTMLFormElement): Refusals {
  let refused: readonly Readonly<{ name: string; message: string; value: string }>[] = [];
  return {
    take(fields, values) {
      refused = Object.entries(fields).map(([name, message]) => {
        const value = values[name] ?? '';
        return { name, message, value };
      });
    },
    current() {
      const values = readValues(form);
      const applying = refused.filter(({ name, value }) => (values[name] ?? '') === value);
      return Object.fromEntries(applying.map(({ name, message }) => [name, message]));
    },
  };
}

function nameOf(error: HTMLElement): string {
  return error.id.replace(/-error$/, '');
}
