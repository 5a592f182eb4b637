import { choice, type EnvironmentReader, origin, text } from './environment-reader.ts';

/** Who suggests addresses. */
export type AddressSettings =
  | Readonly<{ provider: 'gazetteer' }>
  | Readonly<{ provider: 'google'; key: string; url: string }>
  | Readonly<{ provider: 'addressfinder'; key: string; secret: string; url: string }>;

const URLS = {
  google: 'https://places.googleapis.com',
  addressfinder: 'https://api.addressfinder.io',
} as const;

/** Reads `ADDRESSES` and the keys that the chosen provider needs; `ADDRESSES_URL` puts something of yours before it. */
export function readAddressSettings(read: EnvironmentReader): AddressSettings {
  const provider = read.get(
    'ADDRESSES',
    choice(['gazetteer', 'google', 'addressfinder'] as const),
    'gazetteer',
  );
  if (provider === 'gazetteer') return { provider };
  const url = read.get('ADDRESSES_URL', origin, URLS[provider]);
  if (provider === 'google') return { provider, url, key: required(read, 'GOOGLE_PLACES_KEY') };
  const [key, secret] = [required(read, 'ADDRESSFINDER_KEY'), required(read, 'ADDRESSFINDER_SECRET')];
  return { provider, url, key, secret };
}

function required(read: EnvironmentReader, name: string): string {
  const value = read.optional(name, text(/^\S{4,200}$/, 'a key without spaces'));
  if (value === undefined && read.raw(name) === undefined) read.problem(name, 'is missing');
  return value ?? '';
}
