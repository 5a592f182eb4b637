import type { JobLocation } from '#core/job/events.ts';

/** The way to a job in the phone's own maps, or on the web: a link that both understand. */
export function directionsTo({ address }: Pick<JobLocation, 'address'>): string {
  return `https://www.google.com/maps/dir/?${new URLSearchParams({ api: '1', destination: address })}`;
}
