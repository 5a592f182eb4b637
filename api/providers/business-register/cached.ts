import type { BusinessRegister, FoundBusiness } from './business-register.ts';

const KEPT_MS = 24 * 60 * 60_000;
const MOST = 5_000;

/** The same register, which remembers for a day what it found by number: a draft is saved more often than a business changes. */
export function cachedRegister(register: BusinessRegister, now: () => number): BusinessRegister {
  const kept = new Map<string, { found: FoundBusiness; until: number }>();
  return {
    search: register.search,
    async find(bn) {
      const hit = kept.get(bn);
      if (hit && hit.until > now()) return hit.found;
      const found = await register.find(bn);
      kept.delete(bn);
      if (found) kept.set(bn, { found, until: now() + KEPT_MS });
      // The oldest goes first: a Map keeps the order in which its keys came.
      if (kept.size > MOST) kept.delete(kept.keys().next().value ?? '');
      return found;
    },
  };
}
