import { storageTrouble } from '#site/lib/browser-storage.ts';

/** Shows what `StorageNote.astro` says of this browser's storage, if anything. */
export function noteStorage(): void {
  document.querySelector(`[data-storage="${storageTrouble()}"]`)?.removeAttribute('hidden');
}
