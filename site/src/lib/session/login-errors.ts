/** The reasons that `/login?error=` may name. A link can pick one of these texts, never write its own. */
export const loginErrors = {
  'session-timed-out': 'Session timed out',
  'signed-out-elsewhere': 'You were logged out in another tab',
} as const;

export type LoginError = keyof typeof loginErrors;

/** The text of a known reason, else null. The sentence itself counts as its own code. */
export function loginErrorText(code: string | null): string | null {
  if (!code) return null;
  if (Object.hasOwn(loginErrors, code)) return loginErrors[code as LoginError];
  return Object.values(loginErrors).find((text) => text === code) ?? null;
}
