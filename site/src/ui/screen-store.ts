import { atom, onMount, type ReadableAtom } from 'nanostores';

/** Whether the window is as wide as two columns take: 64rem, as in the styles. */
export const $isWide: ReadableAtom<boolean> = mediaStore('(min-width: 64rem)');

/** Whether the window is a phone's: below 48rem, where the page is worked from a bar at its lower end. */
export const $isPhone: ReadableAtom<boolean> = mediaStore('(max-width: 47.99rem)');

function mediaStore(condition: string): ReadableAtom<boolean> {
  const media = typeof matchMedia === 'undefined' ? null : matchMedia(condition);
  const store = atom(media?.matches ?? false);
  onMount(store, () => {
    const read = () => store.set(media?.matches ?? false);
    read();
    media?.addEventListener('change', read);
    return () => media?.removeEventListener('change', read);
  });
  return store;
}

const dialogs = atom<readonly HTMLDialogElement[]>([]);

/** The modal dialogs over the page, the topmost last: whatever is outside of that one can be neither pressed nor read. */
export const $openDialogs: ReadableAtom<readonly HTMLDialogElement[]> = dialogs;

/** Has an element stay where it can be pressed and read: last in the topmost dialog, else last on the page. Gives the end of it. */
export function keepOnTop(element: HTMLElement): () => void {
  return dialogs.subscribe((open) => (open.at(-1) ?? document.body).append(element));
}

export function dialogOpened(dialog: HTMLDialogElement): void {
  dialogs.set([...others(dialog), dialog]);
}

/**
 * Leaves the page without effect on a mouse and a finger for the time of a double tap (ms). What they press often gives its
 * place to another control, such as the next job's Accept or a Call, and the second tap of a hurried thumb would take that.
 */
export function ignoreSecondTap(): void {
  document.body.animate({ pointerEvents: ['none', 'none'] }, 600);
}

/**
 * To be called before the dialog leaves the page, so that no element of another component leaves with it. What lay below the button
 * that closed it is not pressed by a second tap.
 */
export function dialogClosed(dialog: HTMLDialogElement): void {
  ignoreSecondTap();
  dialogs.set(others(dialog));
}

function others(dialog: HTMLDialogElement): readonly HTMLDialogElement[] {
  return dialogs.get().filter((other) => other !== dialog);
}
