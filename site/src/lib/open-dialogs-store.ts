import { atom, type ReadableAtom } from 'nanostores';

const dialogs = atom<readonly HTMLDialogElement[]>([]);

/** The modal dialogs over the page, the topmost last: whatever is outside of that one can be neither pressed nor read. */
export const $openDialogs: ReadableAtom<readonly HTMLDialogElement[]> = dialogs;

export function dialogOpened(dialog: HTMLDialogElement): void {
  dialogs.set([...others(dialog), dialog]);
}

/** To be called before the dialog leaves the page, so that no element of another component leaves with it. */
export function dialogClosed(dialog: HTMLDialogElement): void {
  dialogs.set(others(dialog));
}

function others(dialog: HTMLDialogElement): readonly HTMLDialogElement[] {
  return dialogs.get().filter((other) => other !== dialog);
}
