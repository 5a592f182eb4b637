import { createFormHookContexts } from '@tanstack/react-form';

/** How the parts of a form find their field and their form. */
export const { fieldContext, formContext, useFieldContext, useFormContext } = createFormHookContexts();

type Meta = Readonly<{
  isBlurred: boolean;
  errors: readonly unknown[];
  errorMap: Readonly<{ onSubmit?: unknown }>;
}>;

/**
 * The message that a field shows: what the server refused at once, anything else when the field has been left with
 * something in it. What is still empty is asked for beside the button instead.
 */
export function shownProblem({ isBlurred, errors, errorMap }: Meta, isEmpty: boolean): string | null {
  const problem = errorMap.onSubmit ?? (isBlurred && !isEmpty ? errors[0] : null);
  return typeof problem === 'string' ? problem : null;
}

/** The message of a field that is judged with every change: what the server refused, else what is wrong since it was touched. */
export function eagerProblem({
  isDirty,
  errors,
  errorMap,
}: Omit<Meta, 'isBlurred'> & Readonly<{ isDirty: boolean }>): string | null {
  const problem = errorMap.onSubmit ?? (isDirty ? errors[0] : null);
  return typeof problem === 'string' ? problem : null;
}

let isPressed = false;

if (typeof document !== 'undefined') {
  document.addEventListener('pointerdown', () => (isPressed = true), { capture: true });
  for (const end of ['pointerup', 'pointercancel']) {
    document.addEventListener(end, () => (isPressed = false), { capture: true });
  }
}

/**
 * Runs what may move the page once the press that goes on is over, else in a moment. Leaving a field by pressing a
 * button must not move that button away before the press is a click.
 */
export function afterPointerRelease(work: () => void): void {
  if (!isPressed) setTimeout(work);
  else document.addEventListener('pointerup', () => setTimeout(work), { once: true });
}
