import { refreshQueries } from '#site/lib/http/query.ts';
import { followLive } from '#site/lib/live.ts';

/** What is changed on another device or in another tab shows here within the moment. */
export function followProfile(): void {
  followLive((message) => {
    const kind = message.type === 'change' ? message.change.kind : null;
    if (kind === null || kind === 'business' || kind === 'account') {
      refreshQueries((key) => key === 'profile' || key === 'notifications');
    }
    if (kind === null || kind === 'form') refreshQueries((key) => key === 'enquiry-form');
  });
}
