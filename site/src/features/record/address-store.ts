import { atom } from 'nanostores';

/** The job that the address names, and the revision after which it is shown; `at` is null for the job as it is. */
export type Address = Readonly<{ jobId: string; at: number | null }>;

const address = atom<Address | null>(null);
export const $address = address;

/** Takes `/jobs/details/{id}/…?at=4` over; what is no revision counts as none. */
export function openAddress({ pathname, search }: Pick<Location, 'pathname' | 'search'>): void {
  const at = new URLSearchParams(search).get('at');
  const isRevision = at !== null && /^\d{1,9}$/.test(at);
  address.set({
    jobId: decodeURIComponent(pathname.split('/')[3] ?? ''),
    at: isRevision ? Number(at) : null,
  });
}

/** Shows the state after a revision, and names it in the address, so that it can be sent. */
export function showState(at: number): void {
  const shown = address.get();
  if (!shown || shown.at === at) return;
  history.replaceState(history.state, '', `${location.pathname}?at=${at}`);
  address.set({ ...shown, at });
}
