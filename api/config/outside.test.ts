import { describe, expect, test } from 'vitest';
import { readAddressSettings } from './addresses.ts';
import { readProduct } from './product.ts';
import { ConfigError, EnvironmentReader } from './reader.ts';

function read<T>(env: Record<string, string>, reading: (reader: EnvironmentReader) => T): T {
  const reader = new EnvironmentReader(env);
  return reader.finish(reading(reader));
}
const addresses = (env: Record<string, string>) => read(env, readAddressSettings);
const product = (env: Record<string, string>, production = false) =>
  read(env, (reader) => readProduct(reader, production));

describe('who suggests addresses', () => {
  test('is the gazetteer until somebody else is named, at its own address or behind a proxy', () => {
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
