import { expect, test } from 'vitest';
import { defaultThemeColour, isThemeColour, themeColours } from './theme-colours.ts';

test('a business wears one of eight colours', () => {
  expect(themeColours).toEqual([
    ...['#C21313', '#5053AE', '#5C9B61', '#DF7811'],
    ...['#FFFFFF', '#626367', '#1D1B1B', '#6B8FE4'],
  ]);
  expect(defaultThemeColour).toBe('#6B8FE4');
  expect(themeColours.every(isThemeColour)).toBe(true);
});

test.each(['#c21313', 'C21313', 'red', '#C21313;background:url(//evil)', '', null, 3])(
  '%j is no colour of a business',
  (value) => {
    expect(isThemeColour(value)).toBe(false);
  },
);
