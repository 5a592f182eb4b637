import { browserValues } from '#site/lib/browser-storage.ts';

/** Set while there may be photos, or changes of jobs, to send: a page without them loads nothing of what sends them. */
export const photosMark = 'ute.photos-waiting';
export const changesMark = 'ute.changes-waiting';

export type Mark = typeof photosMark | typeof changesMark;

/** Whether this browser may have what a mark stands for. */
export const isMarked = (mark: Mark): boolean => browserValues.getItem(mark) !== null;

/** Sets a mark, or takes it away. What it stands for is stored elsewhere: no room for a mark loses none of it. */
export function setMark(mark: Mark, isSet: boolean): void {
  if (isSet) browserValues.setItem(mark, '1');
  else browserValues.removeItem(mark);
}
