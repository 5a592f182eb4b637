import type { Region } from '#core/values/region.ts';
import { type AnswerOf, type QueryOf, request } from '#site/lib/http/api.ts';
import { createLookup, type Found, type Lookup } from '#site/ui/form/lookup.ts';

/** A business as its country's register has it. `registered` is false for one that was struck off. */
export type FoundBusiness = AnswerOf<'POST', '/registration/bn'>['entity'];

/** Businesses whose number is, or whose name has, what was typed: at most ten. */
async function searchBusinesses(
  text: string,
  region: Region,
  signal: AbortSignal,
): Promise<readonly FoundBusiness[]> {
  const query = new URLSearchParams({ r: region, q: text } satisfies QueryOf<'GET', '/registration/bn'>);
  const { entities } = await request('GET', `/registration/bn?${query}`, {
    signal,
  });
  return entities;
}

/** The register's entry of one business. 404 where it has none of that number. */
export async function fetchBusiness(bn: string, region: Region): Promise<FoundBusiness> {
  const { entity } = await request('POST', '/registration/bn', {
    body: { bn, r: region },
  });
  return entity;
}

export type Businesses = Found<FoundBusiness>;

/** The businesses of a country's register for one field. */
export function createBusinessSearch(region: Region, search = searchBusinesses): Lookup<FoundBusiness> {
  return createLookup((text, signal) => search(text, region, signal));
}
