/** Set while there may be photos, or changes of jobs, to send: a page without them loads nothing of what sends them. */
export const photosMark = 'ute.photos-waiting';
export const changesMark = 'ute.changes-waiting';

export type Mark = typeof photosMark | typeof changesMark;

/** Whether this browser may have what a mark stands for. */
export function isMarked(mark: Mark): boolean {
  try {
    return mark in localStorage;
  } catch {
    return false;
  }
}

/** Sets a mark, or takes it away. What it stands for is stored elsewhere: no room for a mark loses none of it. */
export function setMark(mark: Mark, isSet: boolean): void {
  try {
    if (isSet) localStorage.setItem(mark, '1');
    else localStorage.removeItem(mark);
  } catch {
    // Refused or full.
  }
}
