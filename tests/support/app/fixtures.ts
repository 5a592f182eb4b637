import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig } from '#api/runtime/config/config.ts';
import type { SeededBusiness } from '#api/seed/seed-business.ts';

/** A configuration as `readConfig` makes it from `env`, with keys of its own and limits off unless `env` says so. */
export function testConfig(env: Readonly<Record<string, string>> = {}): Config {
  const key = () => randomBytes(32).toString('hex');
  return readConfig({
    NODE_ENV: 'test',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
    BOT_CHECK_COST: '1',
    PASSWORD_MEMORY: '64',
    FORM_LEAST_SECONDS: '0',
    DATA_KEY: key(),
    TOKEN_KEY: key(),
    CLAIM_KEY: key(),
    BOT_CHECK_KEY: key(),
    LOG_KEY: key(),
    ...env,
  });
}

/** What an app needs whose bot check is Turnstile, answering at `url`. */
export const turnstileEnv = (url: string) => ({
  ...{ BOT_CHECK: 'turnstile', TURNSTILE_SITE_KEY: 'site-key', TURNSTILE_SECRET: 'turnstile-secret' },
  TURNSTILE_URL: url,
});

/** A folder of its own that other accounts may enter, as a checkout usually is; `remove` deletes it with what is in it. */
export function tempFolder(name: string, parent = tmpdir()): { path: string; remove(): void } {
  mkdirSync(parent, { recursive: true });
  const path = realpathSync(mkdtempSync(join(parent, `ute-${name}-`)));
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

let count = 0;

/** Where a business is, and its number there. */
const places = {
  au: { bn: '51824753556', coverage: { lat: -37.7667, lng: 144.9597, radius: 15_000 } },
  nz: { bn: '9429000035170', coverage: { lat: -36.8485, lng: 174.7633, radius: 15_000 } },
};

/** A business that can be registered, with email, mobile and slug that no other of this process has. */
export function aBusiness(overrides: Partial<SeededBusiness> = {}): SeededBusiness {
  count += 1;
  const number = String(count).padStart(5, '0');
  return {
    email: `owner${number}@acme.example`,
    phone: `+61412${number}0`,
    password: 'Spanner#Wrench42',
    firstName: 'Dave',
    lastName: 'Citizen',
    region: 'au',
    plan: 'starter',
    ...places[overrides.region ?? 'au'],
    name: 'Acme Plumbing Pty Ltd',
    tradingName: 'Acme Plumbing',
    slug: `acme-${number}`,
    theme: '#6B8FE4',
    intro: 'Blocked drains, hot water and leaking taps.',
    trades: ['plumbing'],
    ...overrides,
  };
}
