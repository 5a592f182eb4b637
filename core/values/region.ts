/** The two markets. */
export const regions = ['au', 'nz'] as const;
export type Region = (typeof regions)[number];

export const regionNames: Record<Region, string> = { au: 'Australia', nz: 'New Zealand' };

/** The zone a business has until its own is known. */
export const defaultTimeZones: Record<Region, string> = { au: 'Australia/Melbourne', nz: 'Pacific/Auckland' };

export function isRegion(value: unknown): value is Region {
  return regions.some((region) => region === value);
}
