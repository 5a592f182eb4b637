import type { Pace } from '#api/messages/announcements/announce.ts';
import type { Announcement } from '#api/messages/announcements/announcements.ts';

let names = 0;

/** A newsletter that was never sent. */
export function aNewsletter(overrides: Partial<Announcement> = {}): Announcement {
  names += 1;
  return {
    ...{ id: `news-${names}`, kind: 'newsletter', subject: 'News', body: 'Two things changed.' },
    ...overrides,
  };
}

/** A thousand a second, and no pause between. */
export function aPace(changes: Partial<Pace> = {}): Pace {
  return { perMinute: 60_000, signal: new AbortController().signal, onProgress() {}, ...changes };
}
