import { atom } from 'nanostores';

/** The last thing that happened by itself, in words for users of screen readers. */
const announcement = atom('');
export const $announcement = announcement;

export function announce(text: string): void {
  announcement.set(text);
}
