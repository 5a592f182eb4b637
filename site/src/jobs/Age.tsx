import './age.css';
import { useStore } from '@nanostores/react';
import { atom, onMount } from 'nanostores';
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

const minute = atom<number>(Date.now());

/** Now in ms since the epoch, a minute old at most while something on the page reads it. */
export const $minute = minute;

onMount(minute, () => {
  minute.set(Date.now());
  const timer = setInterval(() => minute.set(Date.now()), 60_000);
  return () => clearInterval(timer);
});
