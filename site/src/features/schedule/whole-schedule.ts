import { atom, type ReadableAtom } from 'nanostores';

const isWhole = atom(false);

/** Whether the whole schedule is to be on the page: it is printed, or the browser's own search is opened. */
export const $isWhole: ReadableAtom<boolean> = isWhole;

if (typeof window !== 'undefined') {
  window.addEventListener('beforeprint', () => isWhole.set(true));
  window.addEventListener('keydown', ({ key, ctrlKey, metaKey }) => {
    if ((ctrlKey || metaKey) && /^[fgp]$/i.test(key)) isWhole.set(true);
  });
}

/** Calls back once the browser has nothing else to do; Safari has no such moments. */
export function inQuiet(work: () => void): void {
  (globalThis.requestIdleCallback ?? setTimeout)(work);
}
