import { Toaster } from 'sonner';
import { mostToasts } from '#site/lib/toast.ts';

const offset = { top: 30, left: 16, right: 16 };

/** Where the toasts of a page appear: top centre, 30 px from the top. Once per page. */
export function Toasts() {
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
