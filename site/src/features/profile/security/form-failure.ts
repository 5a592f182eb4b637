import { ApiError, unknownFailure } from '#site/lib/http/api.ts';

/** Why a form was refused: the message of each field that has one, and one for all where no field has. */
export type FormFailure = Readonly<{ message: string | null; fields: Readonly<Record<string, string>> }>;

export function formFailure(error: unknown): FormFailure {
  if (!(error instanceof ApiError)) return { message: unknownFailure, fields: {} };
  const { message, fields } = error;
  return { message: Object.keys(fields).length > 0 ? null : message, fields };
}
