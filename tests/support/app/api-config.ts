import { randomBytes } from 'node:crypto';
import { type Config, readConfig } from '#api/runtime/config/config.ts';

/** A configuration as `readConfig` makes it from `env`, with keys of its own and limits off unless `env` says so. */
export function testConfig(env: Readonly<Record<string, string>> = {}): Config {
  const key = () => randomBytes(32).toString('hex');
  return readConfig({
    NODE_ENV: 'test',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
    BOT_CHECK_COST: '1',
    FORM_LEAST_SECONDS: '0',
    DATA_KEY: key(),
    TOKEN_KEY: key(),
    CLAIM_KEY: key(),
    BOT_CHECK_KEY: key(),
    LOG_KEY: key(),
    ...env,
  });
}
