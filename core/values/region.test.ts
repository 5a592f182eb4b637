import { expect, test } from 'vitest';
import { formatMoney, moneyText } from './region.ts';

test.each(['au', 'nz', null] as const)('an amount is in the currency of %s, without cents', (region) => {
  expect(formatMoney(1500, region)).toBe('$1,500');
  expect(formatMoney(1_234_567.89, region)).toBe('$1,234,568');
  expect(formatMoney(0, region)).toBe('$0');
});

test.each([
  ['1500', '$1,500'],
  ['$1500', '$1,500'],
  ['$1,500', '$1,500'],
  [' $ 1,500.00 ', '$1,500'],
  ['1499.5', '$1,500'],
  ['85', '$85'],
  ['0', '$0'],
  ['1,250,000', '$1,250,000'],
])('%j is an amount', (answer, shown) => {
  expect(moneyText(answer, 'au')).toBe(shown);
  expect(moneyText(answer, 'nz')).toBe(shown);
});

test.each([
  ...[
    '',
    'about 1500',
    '1500-2000',
    '$1,500 to $2,000',
    '2k',
    '1.500',
    '15,00',
    '1,5000',
    '-5',
    '0412345678',
  ],
  ...['NZ$1500', '1500 dollars', 'no idea', '1e3', '１５００', '12345678901', '1500\n2000'],
])('%j stays as it was typed', (answer) => {
  expect(moneyText(answer, 'au')).toBe(answer);
});
