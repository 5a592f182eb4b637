import type { AddressSettings } from '#api/runtime/config/providers.ts';
import type { Addresses } from './addresses.ts';
import { addressfinderAddresses } from './addressfinder.ts';
import { gazetteerAddresses } from './gazetteer.ts';
import { googleAddresses } from './google.ts';

/** The addresses that the environment asks for; without a word of it the embedded gazetteer. */
export function configuredAddresses(settings: AddressSettings): Addresses {
  switch (settings.provider) {
    case 'google':
      return googleAddresses(settings);
    case 'addressfinder':
      return addressfinderAddresses(settings);
    default:
      return gazetteerAddresses;
  }
}
