import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const key = (letter: string) => new Bun.CryptoHasher('sha256').update(letter).digest('hex');
const keys = { DATA_KEY: key('a'), TOKEN_KEY: key('b'), CLAIM_KEY: key('c'), BOT_CHECK_KEY: key('d') };
const production = {
  ...keys,
  LOG_KEY: key('e'),
  NODE_ENV: 'production',
  PUBLIC_ORIGIN: 'https://jobs.example.com',
  ALLOW_EMBEDDED: 'mail,sms,business-register',
  TRUSTED_PROXIES: '1',
};

function refusal(env: Record<string, string | undefined>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

test('four keys are enough outside production', () => {
  const config = readConfig(keys);
  expect(config).toMatchObject({
    environment: 'development',
    role: 'all',
    host: '127.0.0.1',
    port: 4321,
    publicOrigin: 'http://localhost:4321',
    trustedProxies: 0,
    rateLimits: 'on',
    openApi: true,
    logLevel: 'info',
  });
  expect(config.keys.data).toHaveLength(32);
});

test('a key may be base64', () => {
  const base64 = Buffer.from(keys.DATA_KEY, 'hex').toString('base64');
  expect(readConfig({ ...keys, DATA_KEY: base64 }).keys.data).toEqual(Buffer.from(keys.DATA_KEY, 'hex'));
});

test('production boots with everything set', () => {
  expect(readConfig(production)).toMatchObject({
    environment: 'production',
    host: '0.0.0.0',
    openApi: false,
  });
});

describe('production refuses', () => {
  test.each([
    ['no public origin', { PUBLIC_ORIGIN: undefined }, 'PUBLIC_ORIGIN is required in production'],
    ['embedded mail', { ALLOW_EMBEDDED: 'sms,business-register' }, 'must name mail'],
    ['embedded SMS', { ALLOW_EMBEDDED: 'mail,business-register' }, 'must name sms'],
    ['an embedded business register', { ALLOW_EMBEDDED: 'mail,sms' }, 'must name business-register'],
    ['nothing allowed', { ALLOW_EMBEDDED: undefined }, 'must name mail'],
    [
      'a port to the outside that is none',
      { ALLOW_EMBEDDED: 'mail,sms,business-register,pigeons' },
      'does not know',
    ],
    ['limits that are off', { RATE_LIMITS: 'off' }, 'RATE_LIMITS cannot be off'],
  ])('%s', (_name, change, message) => {
    expect(refusal({ ...production, ...change })).toContain(message);
  });
});

test('production needs no leave for mail and SMS that really go out', () => {
  const mail = {
    SMTP_URL: 'smtps://ute:one-of-a-kind@mail.example.com',
    MAIL_FROM: 'Ute <hello@ute.example>',
  };
  const sms = { SMS: 'messagemedia', MESSAGEMEDIA_KEY: 'a-key', MESSAGEMEDIA_SECRET: 'a-secret' };
  const config = readConfig({ ...production, ...mail, ...sms, ALLOW_EMBEDDED: 'business-register' });
  expect([config.mail.provider, config.sms.provider]).toEqual(['smtp', 'messagemedia']);
  expect(refusal({ ...production, ...mail, ALLOW_EMBEDDED: 'business-register' })).toContain('must name sms');
});

describe('everywhere refused', () => {
  test.each([
    ['a missing key', { DATA_KEY: undefined }, 'DATA_KEY is missing'],
    ['a blank key', { TOKEN_KEY: '  ' }, 'TOKEN_KEY is missing'],
    ['a short key', { CLAIM_KEY: 'abcdef' }, 'CLAIM_KEY must be 32 bytes'],
    ['a default key', { BOT_CHECK_KEY: 'changeit'.repeat(5) }, 'BOT_CHECK_KEY must be 32 bytes'],
    ['a key of one letter', { DATA_KEY: '00'.repeat(32) }, 'DATA_KEY is not random'],
    ['one key for two purposes', { TOKEN_KEY: keys.DATA_KEY }, 'TOKEN_KEY repeats another key'],
    ['a port that is none', { PORT: '99999' }, 'PORT must be a whole number from 0 to 65535'],
    ['a port in words', { PORT: 'http' }, 'PORT must be'],
    [
      'an origin with a path',
      { PUBLIC_ORIGIN: 'https://example.com/app' },
      'PUBLIC_ORIGIN must be an origin',
    ],
    ['an origin of another kind', { PUBLIC_ORIGIN: 'ftp://example.com' }, 'PUBLIC_ORIGIN must be an origin'],
    ['proxies without number', { TRUSTED_PROXIES: 'all' }, 'TRUSTED_PROXIES must be'],
    ['an unknown bot check', { BOT_CHECK: 'none' }, 'BOT_CHECK must be one of altcha'],
    ['an unknown environment', { NODE_ENV: 'prod' }, 'NODE_ENV must be one of'],
    ['an unknown role', { ROLE: 'cook' }, 'ROLE must be one of all, api, worker'],
    [
      'an owner of nothing',
      { MIGRATION_DATABASE_URL: 'postgres://x@y/z' },
      'MIGRATION_DATABASE_URL is only for a',
    ],
    ['another database', { DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must be a postgres:// address'],
    [
      'another event store',
      { EVENTSTORE_URL: 'http://x' },
      'EVENTSTORE_URL must be an address such as esdb://',
    ],
    [
      'an event store whose certificate is not looked at',
      { EVENTSTORE_URL: 'esdb://x?tlsVerifyCert=false' },
      'EVENTSTORE_URL must be without tlsVerifyCert',
    ],
    ['a short metrics token', { METRICS_TOKEN: 'abc' }, 'METRICS_TOKEN must be at least 24 characters'],
  ])('%s', (_name, change, message) => {
    expect(refusal({ ...keys, ...change })).toContain(message);
  });
});

test('all that is wrong is reported at once, a line for each, and no value is repeated', () => {
  const message = refusal({ ...keys, PORT: 'marker1', DATA_KEY: 'marker2', DATABASE_URL: 'mysql://marker3' });
  expect(message).toContain('PORT');
  expect(message).toContain('DATA_KEY');
  expect(message).toContain('DATABASE_URL');
  expect(message).not.toContain('marker');
  expect(message.split('\n')).toHaveLength(3);
  for (const line of message.split('\n')) expect(line).toMatch(/^Configuration: [A-Z_]+ [^\n]+\.$/);
});

test('every variable is documented', async () => {
  const asked = new Set<string>();
  readConfig(
    new Proxy<Record<string, string>>(production, {
      get: (env, name: string) => {
        asked.add(name);
        return env[name];
      },
    }),
  );
  const [guide, example] = await Promise.all(
    ['../../operate/settings.md', '../../../.env.example'].map((file) =>
      Bun.file(new URL(file, import.meta.url)).text(),
    ),
  );
  for (const name of asked) {
    expect(guide).toContain(`| \`${name}\` |`);
    expect(example).toMatch(new RegExp(`^# ${name}=`, 'm'));
  }
});

test('an event store may be one node or a cluster, and is absent unless it is named', () => {
  expect(readConfig(keys)).not.toHaveProperty('eventStoreUrl');
  for (const url of [
    'esdb://ute:secret@node:2113?tls=true&tlsCAFile=/run/ca.crt',
    'esdb+discover://nodes.internal:2113',
  ]) {
    expect(readConfig({ ...keys, EVENTSTORE_URL: url }).eventStoreUrl).toBe(url);
  }
});
