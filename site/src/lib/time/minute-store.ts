import { atom, onMount } from 'nanostores';

const minute = atom<number>(Date.now());

/** Now in ms since the epoch, a minute old at most while something on the page reads it. */
export const $minute = minute;

onMount(minute, () => {
  minute.set(Date.now());
  const timer = setInterval(() => minute.set(Date.now()), 60_000);
  return () => clearInterval(timer);
});
