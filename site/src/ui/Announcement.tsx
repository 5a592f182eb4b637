import { useStore } from '@nanostores/react';
import { $announcement } from './announcement-store.ts';

/** Reads live changes out, politely. Present from the start: a region that appears with its text is not read. */
export function Announcement() {
  return (
    <p className="sr" role="status">
      {useStore($announcement, { ssr: 'initial' })}
    </p>
  );
}
