import { useStore } from '@nanostores/react';
import { atom } from 'nanostores';

/** Reads live changes out, politely. Present from the start: a region that appears with its text is not read. */
export function Announcement() {
  return (
    <p className="sr" role="status">
      {useStore($announcement, { ssr: 'initial' })}
    </p>
  );
}

/** The last thing that happened by itself, in words for users of screen readers. */
const announcement = atom('');
const $announcement = announcement;

export function announce(text: string): void {
  announcement.set(text);
}
