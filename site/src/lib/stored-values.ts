import { browserValues, tabValues } from '#site/lib/browser-storage.ts';
import { draftPrefix } from '#site/lib/offline/drafts.ts';
import { changesMark, photosMark } from '#site/lib/offline/marks.ts';
import { registrationKey } from '#site/lib/session/session-storage.ts';

/** Whether a value was typed and not sent: a tradie's drafts, and what a customer typed into a public form. */
export const isTyped = (key: string): boolean =>
  [draftPrefix, 'ute.form.'].some((prefix) => key.startsWith(prefix));

/** Whether a value is a way to something unfinished: to what waits for a signal, or to a registration. */
export const isWay = (key: string): boolean => [changesMark, photosMark, registrationKey].includes(key);

/** Drops what the site stores in this browser and this tab, except what `stays`. */
export function dropStored(stays: (key: string) => boolean): void {
  for (const values of [tabValues, browserValues]) {
    for (const key of values.names()) {
      if (key.startsWith('ute.') && !stays(key)) values.removeItem(key);
    }
  }
}
