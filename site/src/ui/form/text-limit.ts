import type { ChangeEvent } from 'react';

export type TextControl = HTMLInputElement | HTMLTextAreaElement;

/**
 * Ends the text of a control at `most` characters. What is too much goes where it was typed, before the caret, as with
 * `maxlength`, which counts UTF-16 units.
 */
export function endAt(control: TextControl, most: number): void {
  const { value, selectionEnd } = control;
  const caret = selectionEnd ?? value.length;
  const after = [...value.slice(caret)].slice(0, most);
  const kept = [...value.slice(0, caret)].slice(0, most - after.length).join('');
  const text = kept + after.join('');
  if (text === value) return;
  // In the document before React draws: a value that is there already leaves the caret alone.
  control.value = text;
  // A field for an email has no caret to set.
  if (selectionEnd !== null) control.setSelectionRange(kept.length, kept.length);
}

/** How a controlled field takes what is typed: no more than `most` characters of it. */
export function takeAtMost(most: number, take: (text: string) => void) {
  return ({ target }: ChangeEvent<TextControl>): void => {
    endAt(target, most);
    take(target.value);
  };
}
