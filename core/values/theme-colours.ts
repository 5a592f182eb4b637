/** The eight colours that a business can choose for its pages. */
export const themeColours = [
  '#C21313',
  '#5053AE',
  '#5C9B61',
  '#DF7811',
  '#FFFFFF',
  '#626367',
  '#1D1B1B',
  '#6B8FE4',
] as const;
export type ThemeColour = (typeof themeColours)[number];

export const defaultThemeColour: ThemeColour = '#6B8FE4';

export function isThemeColour(value: unknown): value is ThemeColour {
  return themeColours.some((colour) => colour === value);
}
