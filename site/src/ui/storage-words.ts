import { product } from '#core/values/product.ts';
import type { StorageTrouble } from '#site/lib/browser-storage.ts';

const here = 'You can go on in this tab, but once you close it you start again.';

/** What a browser's trouble with storage means for a session. */
export const storageWords: Readonly<Record<StorageTrouble, string>> = {
  refused: `This browser stores nothing for ${product.name}. ${here}`,
  full: `This browser has no room left to store things. ${here}`,
};

/** What pages for the signed in lack over plain http. */
export const plainHttpWords = `Without https ${product.name} works only while you have a signal.`;
