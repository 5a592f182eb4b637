import { isEmail, normaliseEmail } from '#core/values/contact.ts';
import { requiredElement } from '#site/lib/form.ts';

/** Events after which a field may hold something else; filling one in by the browser shows as an animation alone. */
export const fillingEvents = ['input', 'change', 'animationstart'] as const;

/** Whether an email field holds an email, or something that the browser put there and does not give to scripts yet. */
export function hasEmail(field: HTMLInputElement): boolean {
  return isEmail(normaliseEmail(field.value)) || (!field.value && isAutofilled(field));
}

/** Whether a field holds anything, typed or put there by the browser. */
export function hasText(field: HTMLInputElement): boolean {
  return field.value !== '' || isAutofilled(field);
}

/** Scripts can see that a field was filled in for the user before they can read with what. */
function isAutofilled(field: HTMLInputElement): boolean {
  try {
    return field.matches(':autofill');
  } catch {
    return false;
  }
}

/** Lets the Show buttons of a form show and hide the passwords that they control. */
export function startShowButtons(form: HTMLFormElement): void {
  for (const show of form.querySelectorAll('[data-show]')) {
    show.addEventListener('click', () => {
      const password = controlledBy(form, show);
      reveal(password, show, password.type === 'password');
    });
  }
}

/** Hides every password again: what a browser offers to save, and what it shows a bystander, is a password. */
export function hidePasswords(form: HTMLFormElement): void {
  for (const show of form.querySelectorAll('[data-show]')) reveal(controlledBy(form, show), show, false);
}

function reveal(password: HTMLInputElement, show: Element, isShown: boolean): void {
  password.type = isShown ? 'text' : 'password';
  show.textContent = isShown ? 'Hide' : 'Show';
}

function controlledBy(form: HTMLFormElement, show: Element): HTMLInputElement {
  return requiredElement(form, `#${show.getAttribute('aria-controls')}`, HTMLInputElement);
}

const parameter = 't';

/**
 * The secret of the mailed link that led to this page, null where the address has none. It leaves the address bar for
 * the state of this page's history entry: a phone that reloads the page on the way back from a password manager still
 * finds it, and nothing that is copied or sent along with a request holds it.
 */
export function takeLinkSecret(): string | null {
  const inAddress = new URLSearchParams(location.search).get(parameter);
  if (inAddress === null) return stored();
  const secret = inAddress.trim();
  history.replaceState({ linkSecret: secret }, '', location.pathname);
  return secret;
}

function stored(): string | null {
  const secret: unknown = history.state?.linkSecret;
  return typeof secret === 'string' ? secret : null;
}
