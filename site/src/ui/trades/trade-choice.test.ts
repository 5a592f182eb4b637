import { expect, test } from 'vitest';
import { trades } from '#core/values/trade-catalogue.ts';
import { choiceInWords, type TradeChoice, toggleSpecialty, toggleTrade, tradesLike } from './trade-choice.ts';
import { tradeWords } from './trade-words.ts';

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

const leads = (text: string) => tradesLike(trades, text, []).map(({ id }) => id);

test.each([
  ['plumber', 'plumbing'],
  ['Plumbers', 'plumbing'],
  ['gas fitter', 'gas-fitting'],
  ['sparky', 'electrical'],
  ['sparkie', 'electrical'],
  ['sparkies', 'electrical'],
  ['electrician', 'electrical'],
  ['chippy', 'carpentry'],
  ['chippie', 'carpentry'],
  ['carpenters', 'carpentry'],
  ['painter', 'painting'],
  ['brickie', 'bricklaying'],
  ['tiler', 'tiling'],
  ['roofer', 'roofing'],
  ['plasterer', 'plastering'],
  ['gib stopper', 'plastering'],
  ['gyprocker', 'plastering'],
  ['fridgie', 'refrigeration'],
  ['aircon', 'air-conditioning'],
  ['air-con', 'air-conditioning'],
  ['landscaper', 'landscaping'],
  ['arborist', 'tree-services'],
  ['tree lopper', 'tree-services'],
  ['builder', 'building'],
  ['concreter', 'concreting'],
  ['fencer', 'fencing'],
  ['glazier', 'glazing'],
  ['drainlayer', 'drainage'],
  ['removalist', 'removals'],
  ['handyman', 'handyman'],
  ['cleaner', 'cleaning'],
  ['gardener', 'gardening'],
  ['scaffy', 'scaffolding'],
  ['boilermaker', 'welding'],
  ['cabinetmaker', 'kitchens'],
  ['locksmith', 'locksmith'],
  ['exterminator', 'pest-control'],
])('%s leads to %s', (typed, id) => {
  expect(leads(typed)).toContain(id);
});

test('every trade has words for its people, and no word is for a trade that is not offered', () => {
  expect(Object.keys(tradeWords).sort()).toEqual(trades.map(({ id }) => id).sort());
});

test('is counted in words', () => {
  expect(choiceInWords({ trades: ['a'], specialties: ['b'] })).toBe('1 of 3 trades, 1 specialty');
  expect(choiceInWords({ trades: ['a', 'b'], specialties: [] })).toBe('2 of 3 trades, 0 specialties');
});
