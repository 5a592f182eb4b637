/** Lengths in characters. The cap keeps the work of one hash bounded. */
export const passwordLength = { min: 12, max: 128 } as const;

const RULES: readonly (readonly [message: string, holds: (text: string) => boolean])[] = [
  [
    `Your password needs to be at least ${passwordLength.min} characters long.`,
    (text) => [...text].length >= passwordLength.min,
  ],
  ['Add an uppercase letter', (text) => /\p{Lu}/u.test(text)],
  ['Add an lowercase letter', (text) => /\p{Ll}/u.test(text)],
  ['Add a number', (text) => /[0-9]/.test(text)],
  ['Add a special character', (text) => /[~@#$%!^&*()_+\-|]/.test(text)],
];

/** What is still missing, one message per rule in the order in which they are shown; `[]` for a good password. */
export function passwordProblems(text: string): string[] {
  if (text.length > passwordLength.max * 2 || [...text].length > passwordLength.max) {
    return [`Your password can be at most ${passwordLength.max} characters long.`];
  }
  return RULES.filter(([, holds]) => !holds(text)).map(([message]) => message);
}
