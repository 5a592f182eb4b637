import { describe, expect, test } from 'vitest';
import { readProduct } from './config.ts';
import { ConfigError, EnvironmentReader } from './environment-reader.ts';
import {
  isSandboxed,
  readAddressSettings,
  readAssistantSettings,
  readBotCheckSettings,
  readRegisterSettings,
  readTileSettings,
  tileOrigin,
} from './providers.ts';

function read<T>(env: Record<string, string>, reading: (reader: EnvironmentReader) => T): T {
  const reader = new EnvironmentReader(env);
  return reader.finish(reading(reader));
}
const addresses = (env: Record<string, string>) => read(env, readAddressSettings);
const registers = (env: Record<string, string>) => read(env, readRegisterSettings);
const botCheck = (env: Record<string, string>) => read(env, readBotCheckSettings);
const product = (env: Record<string, string>, production = false) =>
  read(env, (reader) => readProduct(reader, production));

describe('who suggests addresses', () => {
  test('is the gazetteer until a provider is named, at its own address or behind a proxy', () => {
    expect(addresses({})).toEqual({ provider: 'gazetteer' });
    expect(addresses({ ADDRESSES: 'google', GOOGLE_PLACES_KEY: 'a-key' })).toEqual({
      ...{ provider: 'google', key: 'a-key', url: 'https://places.googleapis.com' },
    });
    const env = { ADDRESSES: 'addressfinder', ADDRESSFINDER_KEY: 'a-key', ADDRESSFINDER_SECRET: 'a-secret' };
    expect(addresses({ ...env, ADDRESSES_URL: 'http://proxy.internal:8080' })).toEqual({
      ...{ provider: 'addressfinder', key: 'a-key', secret: 'a-secret', url: 'http://proxy.internal:8080' },
    });
  });

  test.each([
    [{ ADDRESSES: 'post' }, 'ADDRESSES must be one of gazetteer, google, addressfinder'],
    [{ ADDRESSES: 'google' }, 'GOOGLE_PLACES_KEY is missing'],
    [{ ADDRESSES: 'google', GOOGLE_PLACES_KEY: 'a key' }, 'GOOGLE_PLACES_KEY must be a key without spaces'],
    [{ ADDRESSES: 'addressfinder', ADDRESSFINDER_KEY: 'a-key' }, 'ADDRESSFINDER_SECRET is missing'],
  ])('%j is refused', (env, message) => {
    expect(() => addresses(env as Record<string, string>)).toThrow(
      new ConfigError(`Configuration: ${message}.`),
    );
  });
});

describe('where businesses are looked up', () => {
  const guid = '0f2b8c94-6c1e-4d1a-9a37-2f60c8e5d7b1';

  test('is the sandbox of each country until that country’s key is given', () => {
    const sandboxed = registers({});
    expect(sandboxed).toEqual({ au: { provider: 'sandbox' }, nz: { provider: 'sandbox' } });
    const half = registers({ ABR_GUID: guid });
    expect(half.au).toEqual({ provider: 'abr', guid, url: 'https://abr.business.gov.au' });
    const whole = registers({
      ABR_GUID: guid,
      NZBN_KEY: 'nz-key-123',
      NZBN_URL: 'http://proxy:8080/nzbn/v5',
    });
    expect(whole.nz).toEqual({ provider: 'nzbn', key: 'nz-key-123', url: 'http://proxy:8080/nzbn/v5' });
    expect([sandboxed, half, whole].map(isSandboxed)).toEqual([true, true, false]);
  });

  test.each([
    [{ ABR_GUID: 'guid' }, 'ABR_GUID must be the GUID of ABN Lookup'],
    [{ NZBN_KEY: 'a key' }, 'NZBN_KEY must be a key without spaces'],
    [{ ABR_URL: 'proxy' }, 'ABR_URL must be an origin'],
    [{ NZBN_URL: 'http://proxy/' }, 'NZBN_URL must be an address without a slash at its end'],
  ])('%j is refused', (env, message) => {
    expect(() => registers(env as Record<string, string>)).toThrow(message);
  });
});

describe('who tells people from scripts', () => {
  test('is our own proof of work until Turnstile is named with both its keys', () => {
    expect(botCheck({})).toEqual({ provider: 'altcha', cost: 2_000 });
    const env = { BOT_CHECK: 'turnstile', TURNSTILE_SITE_KEY: 'site', TURNSTILE_SECRET: 'secret' };
    expect(botCheck(env)).toEqual({
      ...{
        provider: 'turnstile',
        cost: 2_000,
        siteKey: 'site',
        secret: 'secret',
        url: 'https://challenges.cloudflare.com',
      },
    });
    expect(() => botCheck({ BOT_CHECK: 'turnstile', TURNSTILE_SITE_KEY: 'site' })).toThrow(
      'TURNSTILE_SECRET is missing',
    );
    expect(() => botCheck({ BOT_CHECK: 'tea-leaves' })).toThrow('BOT_CHECK must be one of altcha, turnstile');
  });
});

describe('how the product is reached', () => {
  const contact = { phone: '1800 160 401', email: 'help@ute.example' };

  test('is as configured, invented where one only looks around, unknown in production', () => {
    expect(product({ PRODUCT_PHONE: contact.phone, PRODUCT_EMAIL: contact.email }, true)).toEqual({
      contact,
    });
    expect(product({}).contact).not.toBeNull();
    expect(product({}, true)).toEqual({ contact: null });
  });

  test.each([
    [{ PRODUCT_PHONE: contact.phone }, 'PRODUCT_EMAIL go together'],
    [{ PRODUCT_EMAIL: contact.email }, 'PRODUCT_EMAIL go together'],
    [{ PRODUCT_PHONE: 'ring us', PRODUCT_EMAIL: contact.email }, 'PRODUCT_PHONE must be a phone number'],
    [{ PRODUCT_PHONE: contact.phone, PRODUCT_EMAIL: 'help' }, 'PRODUCT_EMAIL must be an email address'],
    [{ SERVICE_KEY: 'short' }, 'SERVICE_KEY must be at least 24 characters'],
  ])('%j is refused', (env, message) => {
    expect(() => product(env as Record<string, string>)).toThrow(message);
  });
});

function assistant(env: Record<string, string>) {
  const reader = new EnvironmentReader(env);
  return reader.finish(readAssistantSettings(reader));
}
const endpoint = { ASSISTANT_URL: 'https://models.example.com/v1/', ASSISTANT_MODEL: 'org/model-3:latest' };

test('without an endpoint the embedded assistant answers', () => {
  expect(assistant({})).toEqual({ provider: 'embedded' });
  expect(assistant({ ASSISTANT_MODEL: 'model-3', ASSISTANT_KEY: 'a-key' })).toEqual({ provider: 'embedded' });
});

test('an endpoint needs its model, and a key only where it asks for one', () => {
  const known = { provider: 'model', url: 'https://models.example.com/v1', model: 'org/model-3:latest' };
  expect(assistant(endpoint)).toEqual({ ...known, key: null });
  expect(assistant({ ...endpoint, ASSISTANT_KEY: 'sk-a-key' })).toEqual({ ...known, key: 'sk-a-key' });
});

test.each<[Record<string, string>, string]>([
  [{ ASSISTANT_MODEL: '' }, 'ASSISTANT_MODEL is missing'],
  [{ ASSISTANT_MODEL: 'a model' }, 'ASSISTANT_MODEL must be the name of a model'],
  [{ ASSISTANT_KEY: 'a secret key' }, 'ASSISTANT_KEY must be a key without spaces'],
  ...[
    'models.example.com',
    'https://me:secret@models.example.com',
    'https://models.example.com/v1?key=secret',
  ].map((ASSISTANT_URL): [Record<string, string>, string] => [
    { ASSISTANT_URL },
    'ASSISTANT_URL must be an address such as https://models.example.com/v1',
  ]),
])('%j is refused, by name and without its value', (env, message) => {
  expect(() => assistant({ ...endpoint, ...env })).toThrow(new ConfigError(`Configuration: ${message}.`));
});

function tiles(env: Record<string, string>) {
  const reader = new EnvironmentReader(env);
  return reader.finish(readTileSettings(reader));
}
const url = 'https://{s}.tiles.example/{z}/{x}/{y}.png?key=abc';

test('the site draws its own map until tiles are named, with what is to be read on them', () => {
  expect(tiles({})).toBeNull();
  expect(tiles({ TILES_URL: url, TILES_ATTRIBUTION: '© Tiles Ltd' })).toEqual({
    ...{ url, attribution: '© Tiles Ltd' },
  });
});

test.each([
  { TILES_URL: url },
  { TILES_ATTRIBUTION: '© Tiles Ltd' },
  { TILES_URL: 'https://tiles.example/{z}/{x}.png', TILES_ATTRIBUTION: '©' },
  { TILES_URL: 'javascript:{z}{x}{y}', TILES_ATTRIBUTION: '©' },
  { TILES_URL: 'https://tiles.example/{z}/{x}/{y}; script-src *', TILES_ATTRIBUTION: '©' },
  ...[
    '{s}',
    '*',
    '{s}.com',
    '{s}.com.au',
    '{x}.tiles.example',
    'a{s}.tiles.example',
    'tiles.*',
    'u:p@tiles.example',
  ].map((host) => ({
    TILES_URL: `https://${host}/{z}/{x}/{y}.png`,
    TILES_ATTRIBUTION: '©',
  })),
])('%j is refused', (env) => {
  expect(() => tiles(env)).toThrow(/TILES_URL/);
});

test('a content policy gets the origin alone, for every host that {s} stands for', () => {
  expect(tileOrigin({ url, attribution: '' })).toBe('https://*.tiles.example');
  expect(tileOrigin({ url: 'http://10.0.0.7:8080/{z}/{x}/{y}', attribution: '' })).toBe(
    'http://10.0.0.7:8080',
  );
});
