import './arrivals.css';
import { pageStrip } from '#site/jobs/page-strip.ts';
import { inPlace } from './in-place.ts';

let bar: HTMLElement | null = null;

/** Says above the page how many requests came that its list does not show yet. A press has them shown, and goes on at the first. */
export function showArrivals(ids: readonly string[], show: () => void): void {
  const made = Object.assign(document.createElement('button'), { type: 'button', className: 'arrivals' });
  const words = Object.assign(document.createElement('span'), {
    textContent: `${ids.length} new ${ids.length === 1 ? 'request' : 'requests'}: `,
  });
  made.append(words, Object.assign(document.createElement('b'), { textContent: 'show' }));
  made.addEventListener('click', () => {
    show();
    requestAnimationFrame(() => {
      const first = document.querySelector(`main [data-job="${CSS.escape(ids[0] ?? '')}"]`);
      first?.querySelector<HTMLElement>('[data-after-answer]')?.focus();
    });
  });
  inPlace(() => {
    bar?.remove();
    pageStrip(false).append(made);
  });
  bar = made;
}

/** Takes the bar away. */
export function hideArrivals(): void {
  inPlace(() => bar?.remove());
  bar = null;
}
