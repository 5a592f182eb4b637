import { normaliseEmail } from '#core/values/contact.ts';
import { withBotCheck } from '#site/lib/bot-check/with-bot-check.ts';
import { requiredElement } from '#site/lib/form.ts';
import { ApiError, request, unknownFailure } from '#site/lib/http/api.ts';
import { sessionUser } from '#site/lib/profile.ts';
import { loginErrorText, ownPath } from '#site/lib/session/session-storage.ts';
import { signIn } from '#site/lib/session/session-store.ts';
import { noteStorage } from '#site/ui/note-storage.ts';
import { showCarriedToasts } from '#site/ui/toast/plain-toast.ts';
import { fillingEvents, hasEmail, hasText, hidePasswords, startShowButtons } from './auth-form.ts';

type Parts = ReturnType<typeof partsOf>;

/** Brings the login form to life: when its button is enabled, the password's Show and Hide, and the login itself. */
function startLoginForm(form: HTMLFormElement): void {
  const parts = partsOf(form);
  const refresh = () => {
    parts.submit.disabled = !isComplete(parts);
  };
  for (const event of fillingEvents) form.addEventListener(event, refresh);
  refresh();
  startShowButtons(form);
  showCarriedToasts();
  noteStorage();
  const reason = loginErrorText(new URLSearchParams(location.search).get('error'));
  if (reason) showAlert(parts, '', reason);
  // A login that failed is about what these two held; the reason that the address names is not.
  for (const field of [parts.email, parts.password]) {
    field.addEventListener('input', () => {
      if (parts.alert.hasAttribute('data-failed')) hideAlert(parts);
    });
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!parts.fields.disabled && isComplete(parts)) void logIn(parts);
  });
}

async function logIn(parts: Parts): Promise<void> {
  const body = {
    email: normaliseEmail(parts.email.value),
    password: parts.password.value,
    rememberMe: parts.remember.checked,
  };
  hidePasswords(parts.form);
  parts.fields.disabled = true;
  parts.submit.setAttribute('aria-busy', 'true');
  hideAlert(parts);
  try {
    const { token, user } = await withBotCheck((headers) =>
      request('POST', '/authenticate/login', { body, headers }),
    );
    signIn({ token, rememberMe: body.rememberMe, user: sessionUser(user) });
    location.replace(ownPath(new URLSearchParams(location.search).get('next')));
  } catch (error) {
    parts.fields.disabled = false;
    parts.submit.removeAttribute('aria-busy');
    showAlert(parts, 'Error logging on', error instanceof ApiError ? error.message : unknownFailure);
    parts.alert.toggleAttribute('data-failed', true);
    parts.password.focus();
  }
}

function isComplete({ email, password }: Parts): boolean {
  return hasEmail(email) && hasText(password);
}

function showAlert({ alert }: Parts, title: string, message: string): void {
  const [heading, text] = alert.querySelectorAll('[data-title], [data-message]');
  if (heading) heading.textContent = title;
  if (text) text.textContent = message;
  alert.hidden = false;
}

function hideAlert({ alert }: Parts): void {
  alert.hidden = true;
  alert.removeAttribute('data-failed');
}

function partsOf(form: HTMLFormElement) {
  return {
    form,
    fields: requiredElement(form, 'fieldset', HTMLFieldSetElement),
    email: requiredElement(form, '#email', HTMLInputElement),
    password: requiredElement(form, '#password', HTMLInputElement),
    remember: requiredElement(form, '#remember', HTMLInputElement),
    submit: requiredElement(form, '[type=submit]', HTMLButtonElement),
    alert: requiredElement(form, '[role=alert]', HTMLElement),
  };
}

const form = document.querySelector('form');
if (form) startLoginForm(form);
