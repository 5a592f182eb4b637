import './page-strip.css';

let strip: HTMLElement | undefined;
let isToMove = false;

/**
 * The strip above the content of the page, in which its banners stand: in sight however far down the page is. `--signal` says how much
 * of the window's top it takes, in pixels: what sticks there sticks below it. A new page that opened further down, as the schedule does at
 * today, is moved by that, once: it was not read yet.
 */
export function pageStrip(isNewPage: boolean): HTMLElement {
  strip ??= makeStrip();
  isToMove ||= isNewPage && strip.offsetHeight === 0;
  return strip;
}

function makeStrip(): HTMLElement {
  const made = Object.assign(document.createElement('div'), { className: 'page-strip' });
  document.querySelector('main')?.before(made);
  const observer = new ResizeObserver(() => {
    const height = getComputedStyle(made).position === 'sticky' ? made.offsetHeight : 0;
    document.documentElement.style.setProperty('--signal', `${height}px`);
    if (isToMove && height > 0) {
      isToMove = false;
      if (scrollY > 0) scrollBy({ top: -height, behavior: 'instant' });
    }
  });
  observer.observe(made);
  return made;
}
