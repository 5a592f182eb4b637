import { useStore } from '@nanostores/react';
import { Icon } from '#site/components/ui/Icon.tsx';
import { $isOnline } from '#site/lib/network-store.ts';
import type { QueryState } from '#site/lib/query.ts';
import { $session } from '#site/lib/session-store.ts';
import { formatTime } from '#site/lib/when.ts';

/** Without a network: what is on the page, and from when. */
export function OfflineNote({ shown }: { shown: QueryState<unknown> }) {
  const isOnline = useStore($isOnline, { ssr: 'initial' });
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone;
  if (isOnline) return null;
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
