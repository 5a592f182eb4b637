import { atom, onMount } from 'nanostores';

/** Whether the browser has a network, as it tells. */
const isOnline = atom(true);
export const $isOnline = isOnline;

onMount(isOnline, () => {
  if (typeof window === 'undefined') return;
  const read = () => isOnline.set(navigator.onLine);
  read();
  addEventListener('online', read);
  addEventListener('offline', read);
  return () => {
    removeEventListener('online', read);
    removeEventListener('offline', read);
  };
});
