import { browserValues } from '#site/lib/browser-storage.ts';
/** Which colours the product wears in this browser: the system's, or always the same ones. */
export type Appearance = 'system' | 'light' | 'dark';

export const appearances: readonly Appearance[] = ['system', 'light', 'dark'];

/** Under this name the choice stays in this browser. */
export const appearanceKey = 'ute.appearance';

/** The choice of this browser; the system's where none was made or storage is refused. */
export function readAppearance(): Appearance {
  const stored = browserValues.getItem(appearanceKey);
  return appearances.find((one) => one === stored) ?? 'system';
}

/** Puts the choice on the page. Called before anything is painted, and whenever it changes. */
export function applyAppearance(appearance = readAppearance()): void {
  const { dataset } = document.documentElement;
  if (appearance === 'system') delete dataset.scheme;
  else dataset.scheme = appearance;
}

/** Stores the choice and shows it, here and in the browser's other tabs. */
export function chooseAppearance(appearance: Appearance): void {
  browserValues.setItem(appearanceKey, appearance);
  applyAppearance(appearance);
}
