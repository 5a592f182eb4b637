/** Set while there may be photos to send: a page without them loads nothing of what sends them. */
export const photosMark = 'ute.photos-waiting';

/** Whether this browser may have photos that are not sent yet. */
export function mayHavePhotos(): boolean {
  try {
    return photosMark in localStorage;
  } catch {
    return false;
  }
}
