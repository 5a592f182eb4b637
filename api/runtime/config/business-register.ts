import { type EnvironmentReader, origin, text } from './environment-reader.ts';

/** Where businesses are looked up, by country. */
export type RegisterSettings = Readonly<{
  au: Readonly<{ provider: 'sandbox' } | { provider: 'abr'; guid: string; url: string }>;
  nz: Readonly<{ provider: 'sandbox' } | { provider: 'nzbn'; key: string; url: string }>;
}>;

const SANDBOX = { provider: 'sandbox' } as const;
const ABR = 'https://abr.business.gov.au';
const NZBN = 'https://api.business.govt.nz/gateway/nzbn/v5';

/**
 * Reads `ABR_GUID` and `NZBN_KEY`: a country without its key has the sandbox register. `ABR_URL` and `NZBN_URL` put
 * something of yours before them, the latter down to the version.
 */
export function readRegisterSettings(read: EnvironmentReader): RegisterSettings {
  const guid = read.optional('ABR_GUID', text(/^[0-9a-f-]{36}$/i, 'the GUID of ABN Lookup'));
  const key = read.optional('NZBN_KEY', text(/^\S{8,200}$/, 'a key without spaces'));
  const abrUrl = read.get('ABR_URL', origin, ABR);
  const nzbnUrl = read.get(
    'NZBN_URL',
    text(/^https?:\/\/[^\s?#]+[^\s?#/]$/, 'an address without a slash at its end'),
    NZBN,
  );
  return {
    au: guid === undefined ? SANDBOX : { provider: 'abr', guid, url: abrUrl },
    nz: key === undefined ? SANDBOX : { provider: 'nzbn', key, url: nzbnUrl },
  };
}

/** Whether a country stands on invented businesses. */
export function isSandboxed({ au, nz }: RegisterSettings): boolean {
  return au.provider === 'sandbox' || nz.provider === 'sandbox';
}
