/** Scrolls the page by so many pixels at once; a page that would end before is made as long as that takes. */
export function scrollPage(by: number): void {
  document.documentElement.style.setProperty('--tall', `${Math.ceil(scrollY + by + innerHeight)}px`);
  scrollBy({ top: by, behavior: 'instant' });
}
