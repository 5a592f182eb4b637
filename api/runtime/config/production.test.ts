import { describe, expect, test } from 'vitest';
import { noteSigner } from '#core/crypto/note.ts';
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

test('a worker has the key that signs checkpoints, a process of role api has not', () => {
  expect(readConfig({ ...production, ROLE: 'worker' }).proof).toMatchObject({
    to: { kind: 'folder', folder: '.data/checkpoints.txt' },
    ...{ witnesses: [], timestampUrl: null },
  });
  expect(readConfig({ ...production, ROLE: 'api', LOG_KEY: undefined }).proof).toBeNull();
  expect(refusal({ ...production, ROLE: 'api' })).toContain('LOG_KEY is for the worker alone');
  expect(refusal({ ...production, LOG_KEY: undefined })).toContain('LOG_KEY is missing');
  expect(refusal({ ...production, LOG_KEY: keys.DATA_KEY })).toContain('LOG_KEY repeats another key');
  expect(refusal({ ...production, LOG_KEY_BEFORE: production.LOG_KEY })).toContain(
    'LOG_KEY_BEFORE repeats another key',
  );
  expect(readConfig(keys).proof).toBeNull();
});

test('checkpoints go to a file or a bucket, and to the witnesses and the authority that are named', () => {
  const { vkey } = noteSigner('witness.example/w', new Uint8Array(32).fill(1), 'cosignature').verifier;
  const other = noteSigner('witness.example/v', new Uint8Array(32).fill(2), 'cosignature').verifier;
  const access = { S3_ACCESS_KEY_ID: 'AKIAEXAMPLE', S3_SECRET_ACCESS_KEY: 'a secret' };
  const { proof } = readConfig({
    ...{ ...production, ...access, CHECKPOINTS_TO: 's3://ute-checkpoints/log/' },
    WITNESSES: `https://witness.example ${vkey}, http://10.0.0.7:8080/w/ ${other.vkey}`,
    TIMESTAMP_URL: 'http://timestamp.digicert.com',
  });
  expect(proof).toMatchObject({
    to: { kind: 's3', bucket: 'ute-checkpoints', prefix: 'log/' },
    timestampUrl: new URL('http://timestamp.digicert.com'),
  });
  expect(proof?.witnesses.map(({ url, verifier }) => [url.href, verifier.name])).toEqual([
    ['https://witness.example/', 'witness.example/w'],
    ['http://10.0.0.7:8080/w/', 'witness.example/v'],
  ]);
  const logKey = noteSigner('witness.example/w', new Uint8Array(32).fill(1)).verifier.vkey;
  for (const WITNESSES of [
    'https://witness.example',
    `witness.example ${vkey}`,
    `https://witness.example ${logKey}`,
  ])
    expect(refusal({ ...production, WITNESSES })).toContain('WITNESSES must be');
  for (const TIMESTAMP_URL of ['timestamp.digicert.com', 'http://ute:secret@tsa.example'])
    expect(refusal({ ...production, TIMESTAMP_URL })).toContain('TIMESTAMP_URL must be');
  expect(refusal({ ...production, CHECKPOINTS_TO: 's3://ute-checkpoints' })).toContain(
    'CHECKPOINTS_TO is a bucket, which needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
  );
});

describe('production refuses', () => {
  test.each<[string, Record<string, string | undefined>, string]>([
    [
      'proxies that are not counted',
      { TRUSTED_PROXIES: undefined },
      'TRUSTED_PROXIES is required in production',
    ],
    ['a bot check that costs nothing', { BOT_CHECK_COST: '1999' }, 'BOT_CHECK_COST cannot be below 2000'],
    [
      'hashes of passwords that cost a thief little',
      { PASSWORD_MEMORY: '19455' },
      'PASSWORD_MEMORY cannot be below 19456',
    ],
    ['forms that a script may send at once', { FORM_LEAST_SECONDS: '0' }, 'FORM_LEAST_SECONDS cannot be 0'],
    ...['changeit', 'Postgres', 'password'].map((word): [string, Record<string, string>, string] => [
      `the password ${word}`,
      { DATABASE_URL: `postgres://ute:${word}@db.internal/ute` },
      'DATABASE_URL has a default password',
    ]),
    [
      'the password that EventStoreDB comes with',
      { EVENTSTORE_URL: 'esdb://admin:changeit@node:2113?tls=true' },
      'EVENTSTORE_URL has a default password',
    ],
    ...['admin', 'Ops'].map((user): [string, Record<string, string>, string] => [
      `the user ${user} of EventStoreDB`,
      { EVENTSTORE_URL: `esdb://${user}:one-of-a-kind@node:2113?tls=true` },
      'EVENTSTORE_URL has a user that administers the server: let ute event-store secure make one of its own',
    ]),
    [
      'a user for a password',
      { DATABASE_URL: 'postgres://ute:ute@db/ute' },
      'DATABASE_URL has its user for a password',
    ],
    [
      'one password for two logins',
      {
        DATABASE_URL: 'postgres://ute_app:one-of-a-kind@db/ute',
        MIGRATION_DATABASE_URL: 'postgres://ute_owner:one-of-a-kind@db/ute',
      },
      'MIGRATION_DATABASE_URL has the password of DATABASE_URL',
    ],
    [
      'one password for two servers',
      { DATABASE_URL: 'postgres://ute:p%40ss@db/ute', EVENTSTORE_URL: 'esdb://ute:p%40ss@node' },
      'EVENTSTORE_URL has the password of DATABASE_URL',
    ],
    [
      'a mail server with the password of another',
      {
        EVENTSTORE_URL: 'esdb://u:long-one@node',
        SMTP_URL: 'smtps://m:long-one@mail',
        MAIL_FROM: 'a@b.example',
      },
      'SMTP_URL has the password of EVENTSTORE_URL',
    ],
    ...[
      ['EVENTSTORE_URL', 'esdb://node:2113?Tls=false'],
      ['DATABASE_URL', 'postgres://db.internal/ute?sslmode=disable'],
      ['MIGRATION_DATABASE_URL', 'postgres://db.internal/ute?sslmode=disable'],
      ['SMTP_URL', 'smtp://relay.internal?tls=off'],
      ['PUBLIC_ORIGIN', 'http://jobs.example.com'],
      ['SMS_URL', 'http://proxy.internal'],
      ['ADDRESSES_URL', 'http://proxy.internal'],
      ['ABR_URL', 'http://proxy.internal'],
      ['NZBN_URL', 'http://proxy.internal/v5'],
      ['TURNSTILE_URL', 'http://proxy.internal'],
      ['S3_ENDPOINT', 'http://files.internal'],
      ['ASSISTANT_URL', 'http://models.internal/v1'],
      ['TILES_URL', 'http://tiles.internal/{z}/{x}/{y}'],
    ].map(([name = '', address = '']): [string, Record<string, string>, string] => [
      `${address} as ${name}`,
      { [name]: address },
      `${name} is not encrypted: use TLS, or name it in ALLOW_INSECURE`,
    ]),
    ...[
      ['DATA_KEY', Buffer.from(Array.from({ length: 32 }, (_, n) => n)).toString('hex'), 'is not random'],
      ['LOG_KEY', Buffer.from('abcdefghijklmnopqrstuvwxyz012345').toString('base64'), 'is not random'],
      ['SERVICE_KEY', 'service-key-of-the-product-0', 'can be guessed'],
      ['METRICS_TOKEN', 'a'.repeat(32), 'can be guessed'],
      ['TURNSTILE_SECRET', '1x0000000000000000000000000000000AA', 'is no secret'],
      ['DATABASE_URL', 'postgres://ute:12345678@db/ute', 'has a password that can be guessed'],
    ].map(([name = '', value = '', why = '']): [string, Record<string, string>, string] => [
      `${name} without chance in it`,
      { [name]: value },
      `${name} ${why}`,
    ]),
    [
      'leave for what it does not know',
      { ALLOW_INSECURE: 'EVERYTHING' },
      'ALLOW_INSECURE does not know "EVERYTHING"',
    ],
  ])('%s', (_name, change, message) => {
    expect(refusal({ ...production, ...change })).toContain(message);
  });
});

test('production takes what is not encrypted where ALLOW_INSECURE names it, and what stays on this machine', () => {
  const open = {
    PUBLIC_ORIGIN: 'http://jobs.internal',
    EVENTSTORE_URL: 'esdb://node:2113?tls=false',
    DATABASE_URL: 'postgres://db.internal/ute?sslmode=disable',
  };
  const ALLOW_INSECURE = Object.keys(open).join(', ');
  expect(readConfig({ ...production, ...open, ALLOW_INSECURE }).publicOrigin).toBe('http://jobs.internal');
  for (const name of Object.keys(open)) {
    const others = Object.keys(open).filter((other) => other !== name);
    const lines = refusal({ ...production, ...open, ALLOW_INSECURE: others.join(',') }).split('\n');
    expect(lines).toEqual([
      `Configuration: ${name} is not encrypted: use TLS, or name it in ALLOW_INSECURE.`,
    ]);
  }
  for (const DATABASE_URL of [
    'postgres://localhost/ute?sslmode=disable',
    'postgres:///ute?host=/run/postgresql&ssl=0',
  ])
    expect(refusal({ ...production, DATABASE_URL })).not.toContain('encrypted');
});

test('elsewhere a trial may do without all of that', () => {
  const trial = {
    EVENTSTORE_URL: 'esdb://admin:changeit@node?tls=false',
    DATABASE_URL: 'postgres://postgres:postgres@db/ute',
  };
  expect(
    readConfig({ ...keys, ...trial, BOT_CHECK_COST: '1', FORM_LEAST_SECONDS: '0', PASSWORD_MEMORY: '64' }),
  ).toMatchObject({
    trustedProxies: 0,
  });
});
