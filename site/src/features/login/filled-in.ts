import { isEmail, normaliseEmail } from '#core/values/email.ts';

/** Events after which a field may hold something else; browsers tell of filling one in by an animation alone. */
export const fillingEvents = ['input', 'change', 'animationstart'] as const;

/** Whether an email field holds an email, or something that the browser put there and does not tell yet. */
export function hasEmail(field: HTMLInputElement): boolean {
  return isEmail(normaliseEmail(field.value)) || (!field.value && isAutofilled(field));
}

/** Whether a field holds anything, typed or put there by the browser. */
export function hasText(field: HTMLInputElement): boolean {
  return field.value !== '' || isAutofilled(field);
}

/** A browser tells a page that a field was filled in for the user before it tells with what. */
function isAutofilled(field: HTMLInputElement): boolean {
  try {
    return field.matches(':autofill');
  } catch {
    return false;
  }
}
