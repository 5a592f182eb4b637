import { useStore } from '@nanostores/react';
import { type RefObject, useEffect, useState } from 'react';
import { $isWide } from '#site/lib/media-store.ts';
import { scrollsItself } from './show-day.ts';

const margin = '800px 0px';

/** Whether an element of the schedule is within 800 px of what is in sight, and how tall it was when last it was. */
export function useNear(
  element: RefObject<HTMLElement | null>,
  startsNear: boolean,
): Readonly<{ isNear: boolean; height: number | null }> {
  const isWide = useStore($isWide, { ssr: 'initial' });
  const [near, setNear] = useState<{ isNear: boolean; height: number | null }>({
    isNear: startsNear,
    height: null,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another width has another scroller
  useEffect(() => {
    const target = element.current;
    const list = target?.closest<HTMLElement>('.sched__days');
    if (!target || !list) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (!entry) return;
        if (entry.isIntersecting) setNear((before) => (before.isNear ? before : { ...before, isNear: true }));
        else if (!target.contains(document.activeElement)) {
          const { height } = entry.boundingClientRect;
          setNear((before) => (before.isNear ? { isNear: false, height } : before));
        }
      },
      { root: scrollsItself(list) ? list : null, rootMargin: margin },
    );
    observer.observe(target);
    return () => observer.disconnect();
  }, [element, isWide]);
  return near;
}
