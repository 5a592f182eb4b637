/** What the business refuses. The HTTP status is chosen only in `api/http/answers.ts`. */
export abstract class DomainError extends Error {
  abstract override readonly name: string;
}

/** The aggregate does not exist, or belongs to another business: the two must look the same. */
export class NotFoundError extends DomainError {
  override readonly name = 'NotFoundError';
}

/** The state of the aggregate does not allow the command. */
export class IllegalTransitionError extends DomainError {
  override readonly name = 'IllegalTransitionError';
}

/** Something unique (email, mobile, slug) belongs to another account, it was changed meanwhile, or the plan refuses. */
export class ConflictError extends DomainError {
  override readonly name = 'ConflictError';
  constructor(
    message: string,
    readonly code: 'not-possible' | 'changed-meanwhile' | 'taken' = 'not-possible',
  ) {
    super(message);
  }
}

/** A value breaks a rule. `fields` maps a field's path to the message the person reads. */
export class InvalidInputError extends DomainError {
  override readonly name = 'InvalidInputError';
  constructor(
    message: string,
    readonly fields: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** Throws InvalidInputError with these fields where there are any. */
export function assertSound(
  problems: Readonly<Record<string, string>>,
  message = 'Please check what you entered',
): void {
  if (Object.keys(problems).length > 0) throw new InvalidInputError(message, problems);
}

/** What the product stands on (a database, a store of files, a provider) is known to be unavailable: the same may work later. */
export class OutageError extends Error {
  override readonly name = 'OutageError';
}
