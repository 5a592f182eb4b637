import { isEmail, normaliseEmail } from '#core/values/contact.ts';

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
