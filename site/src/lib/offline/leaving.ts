import type { ReadableAtom } from 'nanostores';

/** Has the browser ask before the page is left while what waits in it is not stored. */
export function askBeforeLeaving($isStored: ReadableAtom<boolean>): void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  $isStored.subscribe((isStored) => {
    // Only while needed: browsers keep no page with such a listener for the way back.
    if (isStored) removeEventListener('beforeunload', ask);
    else addEventListener('beforeunload', ask);
  });
}
