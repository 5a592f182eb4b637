import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { product } from '#core/values/product.ts';
import { $isOnline, $isStale } from '#site/lib/http/api.ts';
import type { QueryState } from '#site/lib/http/query.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { formatMoment } from '#site/lib/time/moments.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { $asOf } from './changes/changes-store.ts';

type Props = Readonly<{
  shown: QueryState<unknown>;
  /** What is on the page, and what is shown where nothing is. */
  what?: string;
  otherwise?: string;
}>;

/** Without a network: what is on the page, and from when. With one, whether the latest changes may be missing. */
export function OfflineNote({
  shown,
  what = 'These are your jobs',
  otherwise = 'We’ll load your jobs when you’re back.',
}: Props) {
  const isOnline = useStore($isOnline, { ssr: 'initial' });
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone;
  const isStale = useStore($isStale, { ssr: 'initial' });
  const { isCopy, updatedAt } = shown;
  useEffect(() => $asOf.set(updatedAt), [updatedAt]);
  const isFresh = isOnline && !isCopy;
  if (isFresh && !isStale) return null;
  const known =
    updatedAt && timeZone
      ? `${what} as of ${formatMoment(new Date(updatedAt), timeZone, new Date()).replace('Today, ', '')}.`
      : otherwise;
  return (
    <p className="offline" role="status">
      <Icon name={isFresh ? 'circle-alert' : 'wifi-off'} />
      <span>
        {isFresh
          ? 'We’re having trouble right now. The latest changes may be missing here.'
          : `${isOnline ? `We can’t reach ${product.name} from here.` : 'You’re offline.'} ${known}`}
      </span>
    </p>
  );
}
