import { choice, type EnvironmentReader, origin, text, wholeNumber } from './environment-reader.ts';

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

/** Who answers in the chat. `url` is the endpoint's down to its version, without a slash at the end. */
export type AssistantSettings =
  | Readonly<{ provider: 'embedded' }>
  | Readonly<{ provider: 'model'; url: string; model: string; key: string | null }>;

/**
 * Reads `ASSISTANT_URL`, an endpoint that speaks OpenAI's chat completions, with `ASSISTANT_MODEL` and, where it asks for
 * one, `ASSISTANT_KEY`. Without an endpoint the embedded assistant answers.
 */
export function readAssistantSettings(read: EnvironmentReader): AssistantSettings {
  const url = read.optional('ASSISTANT_URL', endpoint);
  const model = read.optional('ASSISTANT_MODEL', text(/^[\w./:@-]{1,200}$/, 'the name of a model'));
  const key = read.optional('ASSISTANT_KEY', text(/^[\x21-\x7e]{4,500}$/, 'a key without spaces'));
  if (read.raw('ASSISTANT_URL') === undefined) return { provider: 'embedded' };
  if (read.raw('ASSISTANT_MODEL') === undefined) read.problem('ASSISTANT_MODEL', 'is missing');
  return { provider: 'model', url: url ?? '', model: model ?? '', key: key ?? null };
}

/** Without a user, a password or a query: those would go into errors and logs of others. */
function endpoint(raw: string): string {
  const url = URL.parse(raw);
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!isPlain || /[?#]/.test(raw)) throw new RangeError('an address such as https://models.example.com/v1');
  return url.href.replace(/\/+$/, '');
}

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

/** Where a clamd listens that looks at customers' files. */
export type VirusScanSettings = Readonly<{ host: string; port: number }>;

/** Reads `CLAMD`, such as `clamd.internal:3310`; absent, files are not scanned. */
export function readVirusScanSettings(read: EnvironmentReader): VirusScanSettings | undefined {
  const address = read.optional(
    'CLAMD',
    text(/^[A-Za-z0-9.-]+:\d{1,5}$/, 'a host and a port such as clamd:3310'),
  );
  if (address === undefined) return undefined;
  const [host = '', port] = address.split(':');
  return { host, port: Number(port) };
}

/** Map tiles of a provider. `url` has {z}, {x} and {y}; `attribution` is what its terms want to be read on the map. */
export type TileSettings = Readonly<{ url: string; attribution: string }>;

/** Reads `TILES_URL` and `TILES_ATTRIBUTION`, both or neither; null: the site draws its own map. */
export function readTileSettings(read: EnvironmentReader): TileSettings | null {
  const url = read.optional('TILES_URL', (raw) => {
    const isTemplate = ['{z}', '{x}', '{y}'].every((part) => raw.includes(part)) && !/[\s;,]/.test(raw);
    const filled = raw.replace(/\{[a-z]\}/g, '0');
    if (!isTemplate || !URL.canParse(filled) || !/^https?:$/.test(new URL(filled).protocol)) {
      throw new RangeError('an address such as https://tiles.example/{z}/{x}/{y}.png');
    }
    if (!namesOneProvider(raw))
      throw new RangeError(
        'of one provider: only {s} may vary, as the first part of a host such as {s}.tiles.example',
      );
    return raw;
  });
  const attribution = read.optional('TILES_ATTRIBUTION', (raw) => {
    if (raw.length > 200) throw new RangeError('at most 200 characters');
    return raw;
  });
  if ((read.raw('TILES_URL') === undefined) !== (read.raw('TILES_ATTRIBUTION') === undefined)) {
    read.problem('TILES_URL', 'and TILES_ATTRIBUTION go together');
  }
  return url !== undefined && attribution !== undefined ? { url, attribution } : null;
}

/** Whether the content policy that follows from the address names hosts of one owner: no `*`, `*.com` or `*.com.au`. */
function namesOneProvider(template: string): boolean {
  const [, host = ''] = /^https?:\/\/([^/?#]*)/i.exec(template) ?? [];
  const name = host.replace(/:\d{1,5}$/, '');
  const isPlain = /^(?:\{s\}\.)?(?:[a-z0-9-]+\.)*[a-z0-9-]+$|^\[[0-9a-f:]+\]$/i.test(name);
  const labels = name.split('.').slice(1);
  const isShared = /^(?:ac|asn|co|com|edu|geek|gen|go|gov|govt|id|iwi|kiwi|maori|ne|net|or|org|school)$/i;
  const least = labels.at(-1)?.length === 2 && isShared.test(labels.at(-2) ?? '') ? 3 : 2;
  return isPlain && (!name.startsWith('{s}') || labels.length >= least);
}

/** Where the tiles come from, as a content policy names it: any of the hosts that `{s}` stands for. */
export function tileOrigin({ url }: TileSettings): string {
  const { protocol, host } = new URL(url.replace(/\{s\}/g, 'anyhost').replace(/\{[a-z]\}/g, '0'));
  return `${protocol}//${host.replace('anyhost', '*')}`;
}
