import { atom } from 'nanostores';
import type { ListView } from '#core/job/list-views.ts';

/** How the jobs of a list are drawn: as cards, or as the compact rows of a schedule. */
export type ListLook = 'cards' | 'rows';

/** The days of Today have a look of their own: they are a schedule unless somebody wants cards. */
type Looks = Readonly<Record<'days' | 'lists', ListLook>>;

const key = 'ute.looks';
/** How lists are drawn until somebody chooses, and in a page that is not awake yet. */
export const usualLooks: Looks = { days: 'rows', lists: 'cards' };

const looks = atom<Looks>(read());
/** The looks chosen on this device. */
export const $looks = looks;

export function lookOf(view: ListView, { days, lists }: Looks): ListLook {
  return view === 'today' ? days : lists;
}

/** Draws a list this way from now on, after a reload too. */
export function chooseLook(view: ListView, look: ListLook): void {
  looks.set({ ...looks.get(), [view === 'today' ? 'days' : 'lists']: look });
  try {
    localStorage.setItem(key, JSON.stringify(looks.get()));
  } catch {
    // A browser that refuses storage draws it so for as long as the page is open.
  }
}

function read(): Looks {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? '{}');
    const isLook = (look: unknown): look is ListLook => look === 'cards' || look === 'rows';
    return {
      days: isLook(kept?.days) ? kept.days : usualLooks.days,
      lists: isLook(kept?.lists) ? kept.lists : usualLooks.lists,
    };
  } catch {
    return usualLooks;
  }
}
