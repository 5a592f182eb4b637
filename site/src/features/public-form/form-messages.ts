/** The messages of a form: beside each field, tied by its `aria-describedby`, and one above the button. */

/** Shows each field's message, clears the others, and moves to the first field that has one. */
export function showProblems(form: HTMLFormElement, problems: Readonly<Record<string, string>>): void {
  for (const error of form.querySelectorAll<HTMLElement>('.field__error')) {
    const name = error.id.replace(/-error$/, '');
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

/** Says above the button why the request has not been sent; null takes it away. */
export function showNotice(form: HTMLFormElement, message: string | null): void {
  const notice = form.querySelector<HTMLElement>('#notice');
  const text = notice?.querySelector('span');
  if (!notice || !text) return;
  text.textContent = message;
  notice.hidden = message === null;
}
