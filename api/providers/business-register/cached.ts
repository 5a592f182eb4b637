import type { BusinessRegister, FoundBusiness } from './business-register.ts';

const CACHED_MS = 24 * 60 * 60_000;
const MOST = 5_000;

/** The same register, which remembers for a day what it found by number: a draft is saved more often than a business changes. */
export function cachedRegister(register: BusinessRegister, now: () => number): BusinessRegister {
  const cached = new Map<string, { found: FoundBusiness; until: number }>();
  return {
    search: register.search,
    async find(bn) {
      const hit = cached.get(bn);
      if (hit && hit.until > now()) return hit.found;
      const found = await register.find(bn);
      cached.delete(bn);
      if (found) cached.set(bn, { found, until: now() + CACHED_MS });
      // The oldest goes first: a Map keeps the order in which its keys came.
      if (cached.size > MOST) cached.delete(cached.keys().next().value ?? '');
      return found;
    },
  };
}
