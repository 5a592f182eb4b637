import { passwordProblems } from '#core/values/account.ts';
import { requiredElement } from '#site/lib/form.ts';
import { ApiError, request, unknownFailure } from '#site/lib/http/api.ts';
import { dropSession } from '#site/lib/session/session-store.ts';
import { confirmProblem, newPasswordProblem } from '#site/ui/form/new-password.ts';
import { carryToast } from '#site/ui/toast/carried-toast.ts';
import { showToast } from '#site/ui/toast/plain-toast.ts';
import { hidePasswords, startShowButtons, takeLinkSecret } from './auth-form.ts';

/** Brings the page of a new password to life; `token` is the secret of the mailed link, '' where the link has lost it. */
function startResetPassword(form: HTMLFormElement, token: string): void {
  const fields = requiredElement(form, 'fieldset', HTMLFieldSetElement);
  const first = requiredElement(form, '#newPassword', HTMLInputElement);
  const second = requiredElement(form, '#confirmPassword', HTMLInputElement);
  const submit = requiredElement(form, '[type=submit]', HTMLButtonElement);
  let hideFailure = () => {};
  const typed = () => ({ newPassword: first.value, confirmPassword: second.value });
  const check = (isLeft: boolean) => {
    showRules(form, first.value);
    showFieldProblem(form, 'confirmPassword', confirmProblem(typed(), isLeft));
  };
  startShowButtons(form);
  submit.disabled = false;
  if (token !== '') void checkLink();
  form.addEventListener('input', () => {
    hideFailure();
    check(false);
  });
  second.addEventListener('blur', () => check(true));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (fields.disabled) return;
    hideFailure();
    const problem = token === '' ? 'Missing reset data' : newPasswordProblem(typed());
    if (problem === null) void save();
    else refuse(problem);
  });

  function refuse(message: string): void {
    check(true);
    hideFailure = showToast({ kind: 'error', title: 'Password Error', message });
    if (token === '') offerNewLink();
    (passwordProblems(first.value).length > 0 ? first : second).focus();
  }

  async function save(): Promise<void> {
    hidePasswords(form);
    setBusy(true);
    try {
      await request('POST', '/authenticate/reset-password', { body: { token, ...typed() } });
      await dropSession();
      carryToast('success', 'Password has been reset successfully');
      location.replace('/login');
    } catch (error) {
      const { message, fields: problems, isTransient } = error instanceof ApiError ? error : unknown();
      setBusy(false);
      hideFailure = showToast({ kind: 'error', title: 'Error resetting password', message });
      if (problems.newPassword) showFieldProblem(form, 'newPassword', problems.newPassword);
      else if (!isTransient) offerNewLink();
      first.focus();
    }
  }

  /** Says at once that a link is dead; of a check that got no answer, saving says what there is to say. */
  async function checkLink(): Promise<void> {
    try {
      await request('POST', '/authenticate/reset-password/check', { body: { token } });
    } catch (error) {
      if (!(error instanceof ApiError) || error.payload.code !== 'link-over') return;
      const alert = requiredElement(form, '[data-dead]', HTMLElement);
      requiredElement(alert, '[data-message]', HTMLElement).textContent = error.message;
      fields.disabled = true;
      fields.hidden = true;
      alert.hidden = false;
      offerNewLink();
    }
  }

  function setBusy(isBusy: boolean): void {
    fields.disabled = isBusy;
    submit.setAttribute('aria-busy', String(isBusy));
  }

  function offerNewLink(): void {
    requiredElement(form, '[data-again]', HTMLElement).hidden = false;
  }
}

function unknown(): ApiError {
  return new ApiError(unknownFailure, 0);
}

/** Ticks the rules that a password meets off; a problem that is no rule, as too many characters, is the field's own. */
function showRules(form: HTMLFormElement, password: string): void {
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
function showFieldProblem(form: HTMLFormElement, id: string, message: string | null): void {
  const field = requiredElement(form, `#${id}`, HTMLInputElement);
  const error = requiredElement(form, `#${id}-error`, HTMLElement);
  error.hidden = message === null;
  requiredElement(error, 'span', HTMLElement).textContent = message;
  if (message === null) field.removeAttribute('aria-invalid');
  else field.setAttribute('aria-invalid', 'true');
}

const secret = takeLinkSecret();
const form = document.querySelector('form');
if (secret === null) location.replace('/login');
else if (form) startResetPassword(form, secret);
