import './age.css';
import { useStore } from '@nanostores/react';
import { $minute } from '#site/lib/time/minute-store.ts';
import { formatAge } from '#site/lib/time/moments.ts';
import { Icon } from '#site/ui/Icon.tsx';

/** How long ago an instant is, refreshed each minute and never announced. `timeZone` is the business's (IANA). */
export function Age({ at, timeZone }: { at: string; timeZone: string }) {
  const now = useStore($minute);
  return (
    <span className="age">
      <Icon name="clock" />
      <time dateTime={at}>{formatAge(at, timeZone, new Date(now))}</time>
    </span>
  );
}
