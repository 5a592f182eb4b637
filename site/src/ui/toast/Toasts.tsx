import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { Toaster } from 'sonner';
import { $openDialogs } from '#site/lib/open-dialogs-store.ts';
import { takeCarriedToasts } from '#site/ui/toast/carried-toast.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { mostToasts } from '#site/ui/toast/toast-limits.ts';

const offset = { top: 30, left: 16, right: 16 };

/**
 * Where the toasts of a page appear: top centre, 30 px from the top, in the dialog that is open over it. Once per page, in
 * the browser alone.
 */
export function Toasts() {
  const [place] = useState(() => Object.assign(document.createElement('div'), { className: 'toast-place' }));
  useEffect(() => $openDialogs.subscribe((open) => (open.at(-1) ?? document.body).append(place)), [place]);
  // An effect, because the toaster misses every toast that was made before it was there.
  useEffect(() => {
    for (const { kind, message } of takeCarriedToasts()) toast[kind](message);
  }, []);
  return createPortal(
    <Toaster
      position="top-center"
      offset={offset}
      mobileOffset={offset}
      visibleToasts={mostToasts}
      expand
      style={{ '--width': '26rem' } as React.CSSProperties}
    />,
    place,
  );
}
