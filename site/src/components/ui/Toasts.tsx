import { useEffect } from 'react';
import { Toaster } from 'sonner';
import { takeCarriedToasts } from '#site/lib/carried-toast.ts';
import { toast } from '#site/lib/toast.ts';
import { mostToasts } from '#site/lib/toast-limits.ts';

const offset = { top: 30, left: 16, right: 16 };

/** Where the toasts of a page appear: top centre, 30 px from the top. Once per page. */
export function Toasts() {
  // An effect, because the toaster hears of no toast that was made before it was there.
  useEffect(() => {
    for (const { kind, message } of takeCarriedToasts()) toast[kind](message);
  }, []);
  return (
    <Toaster
      position="top-center"
      offset={offset}
      mobileOffset={offset}
      visibleToasts={mostToasts}
      expand
      style={{ '--width': '26rem' } as React.CSSProperties}
    />
  );
}
