import type { ThemeColour } from '#core/values/business.ts';

/** What the colours are called, for users of screen readers. */
export const colourNames: Readonly<Record<ThemeColour, string>> = {
  '#C21313': 'Red',
  '#5053AE': 'Indigo',
  '#5C9B61': 'Green',
  '#DF7811': 'Orange',
  '#FFFFFF': 'White',
  '#626367': 'Grey',
  '#1D1B1B': 'Black',
  '#6B8FE4': 'Sky blue',
};
