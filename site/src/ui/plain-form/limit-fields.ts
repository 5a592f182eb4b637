import { endAt, type TextControl } from '#site/ui/form/text-limit.ts';

/** Ends each field of a plain form at as many characters as its `maxlength` says, which alone would count an emoji twice. */
export function limitFields(form: HTMLFormElement): void {
  for (const control of form.querySelectorAll<TextControl>('input[maxlength], textarea[maxlength]')) {
    const most = control.maxLength;
    control.removeAttribute('maxlength');
    control.addEventListener('input', () => endAt(control, most));
  }
}
