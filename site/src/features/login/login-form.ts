import { isEmail, normaliseEmail } from '#core/values/email.ts';
import { ApiError, request, unknownFailure } from '#site/lib/api.ts';
import { loginErrorText } from '#site/lib/login-errors.ts';
import { ownPath } from '#site/lib/own-path.ts';
import { type Profile, sessionUser } from '#site/lib/profile.ts';
import { signIn } from '#site/lib/session-store.ts';

type Parts = ReturnType<typeof partsOf>;

/** Brings the login form to life: when its button is enabled, the password's Show and Hide, and the login itself. */
export function startLoginForm(form: HTMLFormElement): void {
  const parts = partsOf(form);
  const refresh = () => {
    parts.submit.disabled = !isComplete(parts);
  };
  for (const event of ['input', 'change', 'animationstart']) form.addEventListener(event, refresh);
  refresh();
  parts.show.addEventListener('click', () => toggle(parts));
  const reason = loginErrorText(new URLSearchParams(location.search).get('error'));
  if (reason) showAlert(parts, '', reason);
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
  parts.fields.disabled = true;
  parts.submit.setAttribute('aria-busy', 'true');
  parts.alert.hidden = true;
  try {
    const { token, user } = await request<{ token: string; user: Profile }>('POST', '/authenticate/login', {
      body,
    });
    signIn({ token, rememberMe: body.rememberMe, user: sessionUser(user) });
    location.replace(ownPath(new URLSearchParams(location.search).get('next')));
  } catch (error) {
    parts.fields.disabled = false;
    parts.submit.removeAttribute('aria-busy');
    showAlert(parts, 'Error logging on', error instanceof ApiError ? error.message : unknownFailure);
    parts.password.focus();
  }
}

/** A browser tells a page that a field was filled in for the user before it tells with what. */
function isComplete({ email, password }: Parts): boolean {
  const hasEmail = isEmail(normaliseEmail(email.value)) || (!email.value && isAutofilled(email));
  return hasEmail && (password.value !== '' || isAutofilled(password));
}

function isAutofilled(field: HTMLInputElement): boolean {
  try {
    return field.matches(':autofill');
  } catch {
    return false;
  }
}

function toggle({ password, show }: Parts): void {
  const shown = password.type === 'password';
  password.type = shown ? 'text' : 'password';
  show.textContent = shown ? 'Hide' : 'Show';
}

function showAlert({ alert }: Parts, title: string, message: string): void {
  const [heading, text] = alert.querySelectorAll('[data-title], [data-message]');
  if (heading) heading.textContent = title;
  if (text) text.textContent = message;
  alert.hidden = false;
}

function partsOf(form: HTMLFormElement) {
  const part = <T extends Element>(selector: string, kind: new () => T): T => {
    const found = form.querySelector(selector);
    if (!(found instanceof kind)) throw new Error(`The login form lacks ${selector}`);
    return found;
  };
  return {
    fields: part('fieldset', HTMLFieldSetElement),
    email: part('#email', HTMLInputElement),
    password: part('#password', HTMLInputElement),
    remember: part('#remember', HTMLInputElement),
    show: part('[data-show]', HTMLButtonElement),
    submit: part('[type=submit]', HTMLButtonElement),
    alert: part('[role=alert]', HTMLElement),
  };
}
