import { choice, type EnvironmentReader, origin, text, wholeNumber } from './environment-reader.ts';

/** Who tells people from scripts. `cost` is PBKDF2 iterations per guess of our own proof of work. */
export type BotCheckSettings = Readonly<{ cost: number }> &
  (
    | Readonly<{ provider: 'altcha' }>
    | Readonly<{ provider: 'turnstile'; siteKey: string; secret: string; url: string }>
  );

/** About a second on a phone. */
export const DEFAULT_COST = 2_000;
const TURNSTILE = 'https://challenges.cloudflare.com';

/** Reads `BOT_CHECK`, and `TURNSTILE_SITE_KEY` with `TURNSTILE_SECRET` where that is the choice. */
export function readBotCheckSettings(read: EnvironmentReader): BotCheckSettings {
  const provider = read.get('BOT_CHECK', choice(['altcha', 'turnstile'] as const), 'altcha');
  const cost = read.get('BOT_CHECK_COST', wholeNumber(1, 1_000_000), DEFAULT_COST);
  if (provider === 'altcha') return { provider, cost };
  const [siteKey, secret] = [required(read, 'TURNSTILE_SITE_KEY'), required(read, 'TURNSTILE_SECRET')];
  return { provider, cost, siteKey, secret, url: read.get('TURNSTILE_URL', origin, TURNSTILE) };
}

function required(read: EnvironmentReader, name: string): string {
  const value = read.optional(name, text(/^\S{4,200}$/, 'a key without spaces'));
  if (value === undefined && read.raw(name) === undefined) read.problem(name, 'is missing');
  return value ?? '';
}
