import { invalid } from '#api/http/http-errors.ts';
import { passwordProblems } from '#core/values/account.ts';
import { product } from '#core/values/product.ts';
import { isCommonPassword } from './common-passwords.ts';

export const commonPasswordMessage = 'This password is too common, please choose another.';

/** What is wrong with a password that a person chooses, null when nothing is. Their email makes their own name common. */
export function newPasswordProblem(text: string, email = ''): string | null {
  const [problem] = passwordProblems(text);
  if (problem !== undefined) return problem;
  const own = [product.name, email, email.slice(0, Math.max(0, email.lastIndexOf('@')))];
  return isCommonPassword(text, own) ? commonPasswordMessage : null;
}

type NewPassword = Readonly<{ newPassword: string; confirmPassword?: string }>;

/** Throws 422 for a password that breaks a rule, is common (for the owner of `email` too), or is not the same twice. */
export function assertNewPassword(
  { newPassword, confirmPassword = newPassword }: NewPassword,
  email = '',
): void {
  if (newPassword !== confirmPassword) {
    throw invalid({ confirmPassword: 'Passwords do not match' }, 'Passwords do not match');
  }
  const problem = newPasswordProblem(newPassword, email);
  if (problem !== null) throw invalid({ newPassword: problem }, 'Password Error');
}
