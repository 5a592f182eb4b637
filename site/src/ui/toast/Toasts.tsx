import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { Toaster } from 'sonner';
import { $isPhone } from '#site/lib/media-store.ts';
import { $openDialogs } from '#site/lib/open-dialogs-store.ts';
import { mostToasts } from './carried-toast.ts';
import { shownToasts, type ToastList } from './shown-toasts.tsx';

const sides = { left: 16, right: 16 };
const atTop = { top: 30, ...sides };
/** Above the thumb bar by its real height, else above the tabs by theirs. */
const aboveBar = {
  bottom: 'calc(var(--thumbbar-h, var(--tabs-reach, env(safe-area-inset-bottom))) + 12px)',
  left: 12,
  right: 12,
};

/**
 * Where the toasts of a page appear: above the bar under the thumb on a phone, else top centre, 30 px from the top, and in
 * the dialog that is open over the page. Ctrl+Z takes back what the newest is about.
 */
function Toasts({ onReady }: Readonly<{ onReady: () => void }>) {
  const [place] = useState(() => Object.assign(document.createElement('div'), { className: 'toast-place' }));
  const isPhone = useStore($isPhone);
  const isOverDialog = useStore($openDialogs).length > 0;
  useEffect(() => $openDialogs.subscribe((open) => (open.at(-1) ?? document.body).append(place)), [place]);
  // An effect, because the toaster misses every toast that was made before it was there.
  useEffect(onReady, [onReady]);
  useEffect(measureTabs, []);
  useEffect(() => {
    document.addEventListener('keydown', undoByKey);
    return () => document.removeEventListener('keydown', undoByKey);
  }, []);
  // A dialog has its own controls at its lower end.
  const isUnderThumb = isPhone && !isOverDialog;
  const offset = isUnderThumb ? aboveBar : atTop;
  return createPortal(
    <Toaster
      position={isUnderThumb ? 'bottom-center' : 'top-center'}
      offset={offset}
      mobileOffset={offset}
      visibleToasts={mostToasts}
      expand
      style={{ '--width': '26rem' } as React.CSSProperties}
    />,
    place,
  );
}

/** Draws the toasts of the page; resolves once they can be shown. To be called once. */
export function startToasts(): Promise<ToastList> {
  return new Promise((resolve) => {
    const onReady = () => resolve(shownToasts);
    createRoot(document.createElement('div')).render(<Toasts onReady={onReady} />);
  });
}

/** Ctrl+Z or Cmd+Z takes back the change that a toast shows; in a field it goes on to take back what was typed. */
function undoByKey(event: KeyboardEvent): void {
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key === 'z';
  const isTyping =
    event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]');
  if (isUndo && !isTyping && shownToasts.undoNewest()) event.preventDefault();
}

/** Has `--tabs-reach` say how far the tabs reach up, their lifted button included, in pixels; absent where none are drawn. */
function measureTabs(): (() => void) | undefined {
  const tabs = document.querySelector<HTMLElement>('.tabbar');
  if (!tabs) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => {
    const { bottom, height } = tabs.getBoundingClientRect();
    const tops = [tabs, ...tabs.querySelectorAll('.tabbar__add > span')].map(
      (part) => part.getBoundingClientRect().top,
    );
    if (height > 0) style.setProperty('--tabs-reach', `${Math.ceil(bottom - Math.min(...tops))}px`);
    else style.removeProperty('--tabs-reach');
  });
  observer.observe(tabs, { box: 'border-box' });
  return () => observer.disconnect();
}
