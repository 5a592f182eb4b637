import { describe, expect, test } from 'vitest';
import { findTrade, findTradeOfSpecialty, trades } from './trade-catalogue.ts';

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const specialties = trades.flatMap((trade) => trade.specialties);

describe('the catalogue', () => {
  test('names every trade and specialty once, by an id for ever', () => {
    const ids = [...trades, ...specialties].map(({ id }) => id);
    expect(ids.filter((id) => !KEBAB.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('gives every trade a name, a word for its people and something to tick', () => {
    const words = trades.flatMap(({ name, people }) => [name, people]);
    expect(
      [...words, ...specialties.map(({ name }) => name)].filter((word) => !/^\p{Lu}[^|;:]+$/u.test(word)),
    ).toEqual([]);
    expect(trades.filter((trade) => trade.specialties.length < 3).map(({ id }) => id)).toEqual([]);
    for (const { specialties: ticks } of trades) {
      expect(new Set(ticks.map(({ name }) => name)).size).toBe(ticks.length);
    }
  });

  test('offers what businesses of the demonstration do', () => {
    const shown = [
      'plumbing',
      'electrical',
      'carpentry',
      'painting',
      'landscaping',
      'roofing',
      'tiling',
      'cleaning',
    ];
    expect(shown.filter((id) => findTrade(id) === undefined)).toEqual([]);
  });
});

test('a specialty leads to its trade', () => {
  expect(findTradeOfSpecialty('plumbing-blocked-drains')?.name).toBe('Plumbing services');
  expect(findTradeOfSpecialty('plumbing-nonsense')).toBeUndefined();
  expect(findTrade('wizardry')).toBeUndefined();
});
