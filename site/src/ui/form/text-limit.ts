import type { ChangeEvent } from 'react';
import { countCharacters, firstCharacters } from '#core/values/text.ts';

type Control = HTMLInputElement | HTMLTextAreaElement;

/**
 * A text of at most `most` characters. What is too much goes where it was typed, before the caret, as with `maxlength`, which counts
 * UTF-16 units. `caret` is an index into the text; it comes back beside the same character.
 */
export function fitted(text: string, caret: number, most: number): { text: string; caret: number } {
  const excess = countCharacters(text) - most;
  if (excess <= 0) return { text, caret };
  const typed = Array.from(text.slice(0, caret));
  const kept = typed.slice(0, Math.max(0, typed.length - excess)).join('');
  return { text: firstCharacters(kept + text.slice(caret), most), caret: kept.length };
}

function endAt(control: Control, most: number): void {
  const caret = control.selectionEnd;
  const fit = fitted(control.value, caret ?? control.value.length, most);
  if (fit.text === control.value) return;
  // In the document before React draws: a value that is there already leaves the caret alone.
  control.value = fit.text;
  // A field for an email has no caret to set.
  if (caret !== null) control.setSelectionRange(fit.caret, fit.caret);
}

/** How a controlled field takes what is typed: no more than `most` characters of it. */
export function takeAtMost(most: number, take: (text: string) => void) {
  return ({ target }: ChangeEvent<Control>): void => {
    endAt(target, most);
    take(target.value);
  };
}

/** Ends each field of a plain form at as many characters as its `maxlength` says, which alone would count an emoji twice. */
export function limitFields(form: HTMLFormElement): void {
  for (const control of form.querySelectorAll<Control>('input[maxlength], textarea[maxlength]')) {
    const most = control.maxLength;
    control.removeAttribute('maxlength');
    control.addEventListener('input', () => endAt(control, most));
  }
}
