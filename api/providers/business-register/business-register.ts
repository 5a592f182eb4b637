import type { Region } from '#core/values/region.ts';

/** A business as its country's register answers it. `registered` is false for one that was struck off or cancelled. */
export type FoundBusiness = Readonly<{
  bn: string;
  name: string;
  tradingName: string | null;
  registered: boolean;
  /** In the register's own word, for example Active or Cancelled. */
  status: string;
  country: Region;
  postcode: string | null;
  /** Of a sole trader, or of a company's only director. */
  firstName: string | null;
  lastName: string | null;
}>;

/** The most businesses that are answered at once. */
export const mostBusinesses = 10;

/** The register of one country. Both throw `ProviderError` when it does not answer as its documents say. */
export type BusinessRegister = Readonly<{
  /** Businesses by name, or the one with this number; `[]` for none. */
  search(query: string): Promise<readonly FoundBusiness[]>;
  /** The business with a number whose check digits are right; null when there is none. */
  find(bn: string): Promise<FoundBusiness | null>;
}>;

/** First and last name out of `OKAFOR, SAM JAMES`, as registers write a sole trader; null for another form. */
export function soleTraderName(entityName: string): { firstName: string; lastName: string } | null {
  const [last, first, ...rest] = entityName.split(',').map((part) => part.trim());
  if (!last || !first || rest.length > 0) return null;
  return { firstName: capitals(first.split(' ')[0] ?? ''), lastName: capitals(last) };
}

/** `O'BRIEN-SMITH` → `O'Brien-Smith`; what has small letters already stays as it is. */
function capitals(name: string): string {
  if (name !== name.toUpperCase()) return name;
  return name.toLowerCase().replace(/(^|[\s'’-])\p{L}/gu, (start) => start.toUpperCase());
}
