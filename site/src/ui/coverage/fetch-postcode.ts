import type { Region } from '#core/values/region.ts';
import { type QueryOf, request } from '#site/lib/http/api.ts';
import type { Coverage } from './coverage.ts';

/** Where a postcode is, as the area of a business there to begin with. 404 for an unknown one. */
export async function fetchPostcode(
  postcode: string,
  region: Region,
  signal?: AbortSignal,
): Promise<Coverage & Readonly<{ name: string; state: string }>> {
  const query = new URLSearchParams({ postcode, region } satisfies QueryOf<'GET', '/registration/postcode'>);
  const { location } = await request('GET', `/registration/postcode?${query}`, signal ? { signal } : {});
  return location;
}
