import { expect, test } from 'vitest';
import { contrast, inkOn } from './readable-ink.ts';
import { themeColours } from './theme-colours.ts';

test('every colour of a business has an ink that is read on it', () => {
  for (const colour of themeColours)
    expect(contrast(colour, inkOn(colour)), colour).toBeGreaterThanOrEqual(4.5);
  expect(inkOn('#FFFFFF')).toBe('#1b1a14');
  expect(inkOn('#5053AE')).toBe('#ffffff');
});

test('contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});
