import { passwordProblems } from '#core/values/account.ts';

const passwordsDiffer = 'Passwords do not match';

export type NewPassword = Readonly<{ newPassword: string; confirmPassword: string }>;

/** Why a new password cannot be sent yet, the first thing first; null where nothing does. */
export function newPasswordProblem({ newPassword, confirmPassword }: NewPassword): string | null {
  const [problem] = passwordProblems(newPassword);
  if (problem !== undefined) return problem;
  return newPassword === confirmPassword ? null : passwordsDiffer;
}

/** The problem of the second field as it is typed into: nothing until it could no longer become the first one. */
export function confirmProblem(
  { newPassword, confirmPassword }: NewPassword,
  isLeft: boolean,
): string | null {
  const mayBecome = newPassword.startsWith(confirmPassword);
  if (confirmPassword === '' || newPassword === confirmPassword || (mayBecome && !isLeft)) return null;
  return passwordsDiffer;
}
