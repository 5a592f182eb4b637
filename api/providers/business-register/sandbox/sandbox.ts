import { normaliseBusinessNumber } from '#core/values/business.ts';
import type { Region } from '#core/values/region.ts';
import { type BusinessRegister, type FoundBusiness, mostBusinesses } from '../business-register.ts';
import { sandboxEntities } from './entities.ts';

/** A register of invented businesses, for an installation without a key of a register. */
export function sandboxRegister(region: Region): BusinessRegister {
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
