import { expect, test } from 'vitest';
import { choiceInWords, type TradeChoice, toggleSpecialty, toggleTrade, tradesLike } from './trade-choice.ts';

const trade = (id: string, ...specialties: string[]) => ({
  id,
  name: `${id} services`,
  specialties: specialties.map((name) => ({ id: `${id}.${name}`, name })),
});
const plumbing = trade('plumbing', 'blocked drains', 'hot water');
const [roofing, tiling, painting] = [trade('roofing'), trade('tiling'), trade('painting')];
const nothing = { trades: [], specialties: [] };

test('a trade that is taken out takes its specialties with it', () => {
  const chosen = toggleSpecialty(toggleTrade(nothing, plumbing) ?? nothing, 'plumbing.hot water');
  expect(chosen).toEqual({ trades: ['plumbing'], specialties: ['plumbing.hot water'] });
  expect(toggleTrade({ ...chosen, specialties: [...chosen.specialties, 'other'] }, plumbing)).toEqual({
    ...{ trades: [], specialties: ['other'] },
  });
  expect(toggleSpecialty(chosen, 'plumbing.hot water').specialties).toEqual([]);
});

test('up to 3 trades: a fourth is refused', () => {
  let three: TradeChoice = nothing;
  for (const next of [plumbing, roofing, tiling]) three = toggleTrade(three, next) ?? nothing;
  expect(three.trades).toHaveLength(3);
  expect(toggleTrade(three, painting)).toBeNull();
  expect(toggleTrade(three, tiling)?.trades).toEqual(['plumbing', 'roofing']);
});

test('a few letters lead to a trade by its name or by what is done in it', () => {
  const all = [plumbing, roofing, tiling];
  const like = (text: string, chosen: string[] = []) => tradesLike(all, text, chosen).map(({ id }) => id);
  expect([like(''), like('roo'), like('HOT w'), like('drains'), like('xyz')]).toEqual([
    ...[['plumbing', 'roofing', 'tiling'], ['roofing'], ['plumbing'], ['plumbing'], []],
  ]);
  expect(like('roo', ['tiling'])).toEqual(['roofing', 'tiling']);
});

test('is counted in words', () => {
  expect(choiceInWords({ trades: ['a'], specialties: ['b'] })).toBe('1 of 3 trades, 1 specialty');
  expect(choiceInWords({ trades: ['a', 'b'], specialties: [] })).toBe('2 of 3 trades, 0 specialties');
});
