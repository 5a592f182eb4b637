import { useStore } from '@nanostores/react';
import { Icon } from '#site/components/ui/Icon.tsx';
import { $isOnline, $isStale } from '#site/lib/network-store.ts';
import type { QueryState } from '#site/lib/query.ts';
import { $session } from '#site/lib/session-store.ts';
import { formatTime } from '#site/lib/when.ts';

/** Without a network: what is on the page, and from when. With one, whether the latest changes may be missing. */
export function OfflineNote({ shown }: { shown: QueryState<unknown> }) {
  const isOnline = useStore($isOnline, { ssr: 'initial' });
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone;
  const isStale = useStore($isStale, { ssr: 'initial' });
  if (isOnline && !isStale) return null;
  if (isOnline) {
    return (
      <p className="offline" role="status">
        <Icon name="circle-alert" />
        We’re having trouble right now. The latest changes may be missing here.
      </p>
    );
  }
  const { updatedAt } = shown;
  return (
    <p className="offline" role="status">
      <Icon name="wifi-off" />
      {updatedAt && timeZone
        ? `You’re offline. These are your jobs as of ${formatTime(new Date(updatedAt), timeZone)}.`
        : 'You’re offline. We’ll load your jobs when you’re back.'}
    </p>
  );
}
