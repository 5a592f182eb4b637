import { atom } from 'nanostores';
import type { ListView } from '#core/job/status/statuses.ts';
import { browserValues } from '#site/lib/browser-storage.ts';

/** How the jobs of a list are drawn: as cards, or as the compact rows of a schedule. */
export type ListAppearance = 'cards' | 'rows';

/** The days of Today have an appearance of their own: they are a schedule unless the tradie chooses cards. */
type Appearances = Readonly<Record<'days' | 'lists', ListAppearance>>;

const key = 'ute.looks';
/** How lists are drawn until the tradie chooses, and in a page that is not hydrated yet. */
export const usualAppearances: Appearances = { days: 'rows', lists: 'cards' };

const appearances = atom<Appearances>(read());
/** The appearances chosen on this device. */
export const $listAppearances = appearances;

export function appearanceOf(view: ListView, { days, lists }: Appearances): ListAppearance {
  return view === 'today' ? days : lists;
}

/** Draws a list this way from now on, after a reload too. */
export function chooseAppearance(view: ListView, appearance: ListAppearance): void {
  appearances.set({ ...appearances.get(), [view === 'today' ? 'days' : 'lists']: appearance });
  browserValues.setItem(key, JSON.stringify(appearances.get()));
}

function read(): Appearances {
  try {
    const stored = JSON.parse(browserValues.getItem(key) ?? '{}');
    const isAppearance = (appearance: unknown): appearance is ListAppearance =>
      appearance === 'cards' || appearance === 'rows';
    return {
      days: isAppearance(stored?.days) ? stored.days : usualAppearances.days,
      lists: isAppearance(stored?.lists) ? stored.lists : usualAppearances.lists,
    };
  } catch {
    return usualAppearances;
  }
}
