import { LRUCache } from 'lru-cache';
import type { RegisterSettings } from '#api/runtime/config/providers.ts';
import { normaliseBusinessNumber } from '#core/values/business.ts';
import type { Region } from '#core/values/region.ts';
import {
  abrRegister,
  type BusinessRegister,
  type FoundBusiness,
  mostBusinesses,
  nzbnRegister,
} from './business-register.ts';
import { sandboxEntities } from './sandbox-entities.ts';

export type BusinessRegisters = Readonly<Record<Region, BusinessRegister>>;

/** The register of each country, as the environment asks for it; invented businesses where it asks for none. */
export function configuredRegisters({ au, nz }: RegisterSettings): BusinessRegisters {
  const clock = () => performance.now();
  return {
    au: au.provider === 'abr' ? cachedRegister(abrRegister(au), clock) : sandboxRegister('au'),
    nz: nz.provider === 'nzbn' ? cachedRegister(nzbnRegister(nz), clock) : sandboxRegister('nz'),
  };
}

const CACHED_MS = 24 * 60 * 60_000;
const MOST = 5_000;

/** The same register, which remembers for a day what it found by number: a draft is saved more often than a business changes. */
export function cachedRegister(register: BusinessRegister, now: () => number): BusinessRegister {
  const cached = new LRUCache<string, { found: FoundBusiness; until: number }>({ max: MOST });
  return {
    search: register.search,
    async find(bn) {
      const hit = cached.get(bn);
      if (hit && hit.until > now()) return hit.found;
      const found = await register.find(bn);
      if (found) cached.set(bn, { found, until: now() + CACHED_MS });
      else cached.delete(bn);
      return found;
    },
  };
}

/** A register of invented businesses, for an installation without a key of a register. */
function sandboxRegister(region: Region): BusinessRegister {
  const entities = sandboxEntities[region].map((entity) => ({ entity, words: wordsOf(entity) }));
  return {
    async search(query) {
      const digits = normaliseBusinessNumber(query);
      if (/^\d+$/.test(digits)) {
        return entities
          .filter(({ entity }) => entity.bn.startsWith(digits))
          .map(bare)
          .slice(0, mostBusinesses);
      }
      const typed = plain(query).split(' ').filter(Boolean);
      if (typed.length === 0) return [];
      const begins = (words: readonly string[]) =>
        typed.every((part) => words.some((word) => word.startsWith(part)));
      return entities
        .filter(({ words }) => begins(words))
        .map(bare)
        .slice(0, mostBusinesses);
    },
    find: async (bn) => entities.find(({ entity }) => entity.bn === bn)?.entity ?? null,
  };
}

const bare = ({ entity }: { entity: FoundBusiness }) => entity;

function wordsOf({ name }: FoundBusiness): string[] {
  return plain(name).split(' ').filter(Boolean);
}

/** As people type it: no macrons, no marks, lower case. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}|['’]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .toLowerCase()
    .trim();
}
