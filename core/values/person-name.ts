/** Lengths of a first or last name in characters. */
export const personNameLength = { min: 3, max: 100 } as const;

/** What is wrong with a first name, null when nothing is. Spaces around it do not count. */
export function firstNameProblem(text: string): string | null {
  return problem('First name', text);
}

/** What is wrong with a last name, null when nothing is. Spaces around it do not count. */
export function lastNameProblem(text: string): string | null {
  return problem('Last name', text);
}

type Names = Readonly<{ firstName?: string; lastName?: string }>;

/** What is wrong with names, by field; `{}` when nothing is. A name that is absent is not looked at. */
export function personNameProblems({ firstName, lastName }: Names): Record<string, string> {
  const first = firstName === undefined ? null : firstNameProblem(firstName);
  const last = lastName === undefined ? null : lastNameProblem(lastName);
  return { ...(first ? { firstName: first } : {}), ...(last ? { lastName: last } : {}) };
}

function problem(label: string, text: string): string | null {
  const { length } = [...text.trim()];
  if (length === 0) return `${label} is required`;
  if (length < personNameLength.min) {
    return `${label} must be at least ${personNameLength.min} characters long`;
  }
  return length > personNameLength.max
    ? `${label} can be at most ${personNameLength.max} characters long`
    : null;
}
