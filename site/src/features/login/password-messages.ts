import { passwordProblems } from '#core/values/account.ts';
import { requiredElement } from '#site/lib/form/required-element.ts';

/** Ticks the rules that a password meets off; a problem that is no rule, as too many characters, is the field's own. */
export function showRules(form: HTMLFormElement, password: string): void {
  const problems = passwordProblems(password);
  const rules = [...form.querySelectorAll<HTMLElement>('[data-rule]')];
  for (const rule of rules) {
    const isMet = !problems.includes(rule.dataset.rule ?? '');
    rule.classList.toggle('is-met', isMet);
    for (const sign of rule.querySelectorAll('[data-met]')) sign.toggleAttribute('hidden', !isMet);
    for (const sign of rule.querySelectorAll('[data-unmet]')) sign.toggleAttribute('hidden', isMet);
  }
  const known = rules.map(({ dataset }) => dataset.rule);
  showFieldProblem(form, 'newPassword', problems.find((problem) => !known.includes(problem)) ?? null);
}

/** Shows what is wrong with a field below it, or takes it away. */
export function showFieldProblem(form: HTMLFormElement, id: string, message: string | null): void {
  const field = requiredElement(form, `#${id}`, HTMLInputElement);
  const error = requiredElement(form, `#${id}-error`, HTMLElement);
  error.hidden = message === null;
  requiredElement(error, 'span', HTMLElement).textContent = message;
  if (message === null) field.removeAttribute('aria-invalid');
  else field.setAttribute('aria-invalid', 'true');
}
