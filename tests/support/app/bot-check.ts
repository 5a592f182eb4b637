import { pbkdf2Sync } from 'node:crypto';
import { type Challenge, type DeriveKeyFunction, type Solution, solveChallenge } from 'altcha-lib';

/** What the browser's worker does, without its round trip per guess: a whole search takes some milliseconds. */
const deriveKey: DeriveKeyFunction = async ({ cost, keyLength }, salt, password) => ({
  derivedKey: pbkdf2Sync(password, salt, cost, keyLength, 'sha256'),
});

/** Really solves a challenge. */
export async function solve(challenge: Challenge): Promise<Solution> {
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('the challenge has no solution');
  return solution;
}

/** The text that goes to `/bot-check/verify`. */
export function payloadOf(challenge: Challenge, solution: Solution): string {
  return btoa(JSON.stringify({ challenge, solution }));
}

/** What an app needs whose bot check is Turnstile, answering at `url`. */
export const turnstileEnv = (url: string) => ({
  ...{ BOT_CHECK: 'turnstile', TURNSTILE_SITE_KEY: 'site-key', TURNSTILE_SECRET: 'turnstile-secret' },
  TURNSTILE_URL: url,
});
