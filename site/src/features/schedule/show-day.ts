import type { Day } from '#site/lib/time/calendar.ts';

/** Brings a day to the top of the list at once, the heading of an empty day before it still in sight. */
export function showDay(list: HTMLElement, day: Day): void {
  const section = list.querySelector<HTMLElement>(`[data-day="${day}"]`);
  if (!section) return;
  const before = section.previousElementSibling;
  const top = (before?.matches('.day--empty') ? before : section).getBoundingClientRect().top;
  if (scrollsItself(list)) {
    list.scrollTop += top - list.getBoundingClientRect().top - list.clientTop;
    return;
  }
  const bar = document.querySelector<HTMLElement>('.sched__bar')?.offsetHeight ?? 0;
  window.scrollTo({ top: window.scrollY + top - bar, behavior: 'instant' });
}

/** On a laptop the list scrolls beside the month, on a phone the whole page does. */
export function scrollsItself(list: HTMLElement): boolean {
  return getComputedStyle(list).overflowY !== 'visible';
}

/** Places the headings of days right below a phone's bar, which grows by its search. */
export function followBar(bar: HTMLElement | null): (() => void) | undefined {
  if (!bar) return undefined;
  const place = () => {
    const height = getComputedStyle(bar).position === 'sticky' ? bar.offsetHeight - 1 : 0;
    document.documentElement.style.setProperty('--_bar', `${height}px`);
  };
  const observer = new ResizeObserver(place);
  observer.observe(bar);
  place();
  return () => observer.disconnect();
}
