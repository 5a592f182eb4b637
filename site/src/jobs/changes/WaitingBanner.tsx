import { useStore } from '@nanostores/react';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { $isOnline } from '#site/lib/http/api.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { changeQueue } from './browser-queue.ts';
import { $asOf } from './changes-store.ts';
import { bannerInWords } from './waiting-words.ts';

/** How long the banner says that all was sent, in milliseconds. */
const sentTime = 4_000;

type Sheet = ComponentType<Readonly<{ onClose(): void }>>;

/** How the changes of this account are on their way, over every page; opens the queue. */
export function WaitingBanner() {
  const changes = useStore(changeQueue.$changes);
  const isOnline = useStore($isOnline);
  const isReached = useStore(changeQueue.$isReached);
  const asOf = useStore($asOf);
  const timeZone = useStore($session)?.user?.timeZone ?? 'UTC';
  const [Opened, setOpened] = useState<Sheet | null>(null);
  const banner = useRef<HTMLDivElement>(null);
  const words = bannerInWords(changes, {
    ...{ timeZone, now: new Date(), asOf, hasSignal: isOnline && isReached },
  });
  const isAllSent = words?.kind === 'sent';
  const isOpen = Opened !== null;
  useEffect(() => {
    if (!isAllSent || isOpen) return;
    const timer = setTimeout(() => {
      const hadFocus = banner.current?.contains(document.activeElement);
      changeQueue.clearSent();
      if (hadFocus) focusOnPage();
    }, sentTime);
    return () => clearTimeout(timer);
  }, [isAllSent, isOpen]);
  async function open(): Promise<void> {
    const { QueueSheet } = await import('./QueueSheet.tsx');
    setOpened(() => QueueSheet);
  }
  return (
    <FaultBoundary>
      <div ref={banner} role="status">
        {words && (
          <button
            className={`signal signal--${words.kind}`}
            type="button"
            aria-haspopup="dialog"
            onClick={() => void open()}
          >
            <Icon name={isAllSent ? 'circle-check-big' : 'cloud-off'} className="icon--lg" />
            <span>
              <span>{words.first}</span>
              {words.second && <small>{words.second}</small>}
            </span>
            <Icon name="chevron-right" />
          </button>
        )}
      </div>
      {Opened && <Opened onClose={() => setOpened(null)} />}
    </FaultBoundary>
  );
}

/** The banner goes with the focus: the page itself has it then, from its top. */
function focusOnPage(): void {
  const main = document.querySelector('main');
  if (!main) return;
  main.tabIndex = -1;
  main.focus({ preventScroll: true });
}
