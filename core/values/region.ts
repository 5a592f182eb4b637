/** The two markets. */
export const regions = ['au', 'nz'] as const;
export type Region = (typeof regions)[number];

export const regionNames: Record<Region, string> = { au: 'Australia', nz: 'New Zealand' };

/** Whom a person complains to about what is held of them. */
export const privacyRegulators: Readonly<Record<Region, { name: string; url: string }>> = {
  au: {
    name: 'the Office of the Australian Information Commissioner',
    url: 'https://www.oaic.gov.au/privacy/privacy-complaints',
  },
  nz: { name: 'the Privacy Commissioner', url: 'https://www.privacy.org.nz/your-rights/making-a-complaint/' },
};

/** The zone a business has until its own is known. */
export const defaultTimeZones: Record<Region, string> = { au: 'Australia/Melbourne', nz: 'Pacific/Auckland' };

export function isRegion(value: unknown): value is Region {
  return regions.some((region) => region === value);
}

/** The currency of a business, and the language in which its amounts are written; US dollars where no region is known. */
const currencies = {
  au: { currency: 'AUD', locale: 'en-AU' },
  nz: { currency: 'NZD', locale: 'en-NZ' },
  unknown: { currency: 'USD', locale: 'en-US' },
} as const satisfies Record<Region | 'unknown', Readonly<{ currency: string; locale: string }>>;

/** A plain amount: digits, their thousands set apart or not, a dollar sign before, cents behind. No sign, no leading zero. */
const plainAmount = /^\$?\s*((?:[1-9]\d{0,8}|[1-9]\d{0,2}(?:,\d{3}){1,2}|0)(?:\.\d{1,2})?)$/;

/** An amount in dollars as a business of this region reads it: "$1,500", without cents. */
export function formatMoney(dollars: number, region: Region | null): string {
  const { currency, locale } = currencies[region ?? 'unknown'];
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: 0,
  }).format(dollars);
}

/** What a person answered about money: a plain amount as `formatMoney` writes it, any other text as it was typed. */
export function moneyText(answer: string, region: Region | null): string {
  const [, digits] = plainAmount.exec(answer.trim()) ?? [];
  return digits === undefined ? answer : formatMoney(Number(digits.replaceAll(',', '')), region);
}
