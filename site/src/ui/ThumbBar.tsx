import './thumb-bar.css';
import { type ReactNode, useCallback } from 'react';

/** The property of the page's root with the height of its thumb bar in pixels; absent while none is drawn. */
const heightProperty = '--thumbbar-h';

type Props = Readonly<{
  /** `answer`: Reject and Accept. `next`: Call, Directions and the next step. */
  kind: 'answer' | 'next';
  /** What the controls are for, for screen readers. */
  label: string;
  children: ReactNode;
}>;

/**
 * What a thumb reaches: the controls of the page in a bar at its lower end, on phones and tablets. On a laptop it is not
 * drawn, and the page has the controls elsewhere. Its real height is in `--thumbbar-h`, for what lies above it.
 */
export function ThumbBar({ kind, label, children }: Props) {
  const measure = useCallback((bar: HTMLDivElement) => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      if (bar.offsetHeight > 0) style.setProperty(heightProperty, `${bar.offsetHeight}px`);
      else style.removeProperty(heightProperty);
    });
    observer.observe(bar, { box: 'border-box' });
    return () => {
      observer.disconnect();
      style.removeProperty(heightProperty);
    };
  }, []);
  return (
    <div ref={measure} className={`thumbbar thumbbar--${kind}`} role="group" aria-label={label}>
      {children}
    </div>
  );
}
