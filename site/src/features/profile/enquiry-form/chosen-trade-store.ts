import { atom, type ReadableAtom } from 'nanostores';

const chosen = atom<string | null>(null);

/** The id of the trade whose questions are shown; null until one is chosen, which means the first. */
export const $chosenTrade: ReadableAtom<string | null> = chosen;

export function chooseTrade(id: string): void {
  chosen.set(id);
}
