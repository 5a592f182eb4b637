import { atom, onMount } from 'nanostores';

/** Whether the browser reports a network. */
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

/** Whether the server's answer marked that what it shows may miss the latest changes. */
const isStale = atom(false);
export const $isStale = isStale;

/** Reads the marks of an answer to a question about jobs. */
export function noteReadModel(headers: Headers): void {
  isStale.set(headers.get('x-read-model') === 'stale');
}
