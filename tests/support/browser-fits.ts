import { expect, type Page } from '@playwright/test';

const widths = [390, 320] as const;

/**
 * Every text of the page that is open lies inside it and inside whatever clips it, at 390 and at 320 px, and nothing
 * scrolls sideways; a word that fits on a line is not broken. `words` are beginnings of words that have to be seen, or the page would prove nothing.
 */
export async function expectFits(page: Page, words: readonly string[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 });
    for (const word of words) {
      await expect(page.getByText(word).filter({ visible: true }).first(), word).toBeVisible();
    }
    expect(await page.evaluate(faults), `${page.url()} at ${width} px`).toEqual([]);
  }
}

/** What does not fit, in words. Text that ends in an ellipsis by design counts as fitting. */
function faults(): string[] {
  const { clientWidth, scrollWidth } = document.documentElement;
  const found = new Set<string>();
  const nameOf = (element: Element) => `${element.tagName.toLowerCase()}.${[...element.classList].join('.')}`;
  if (scrollWidth > clientWidth) found.add(`the page is ${scrollWidth} px wide`);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const element = text.parentElement;
    if (!element?.checkVisibility({ visibilityProperty: true }) || !text.textContent?.trim()) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const { left, right, bottom, width } = range.getBoundingClientRect();
    if (width === 0) continue;
    const parents: Element[] = [];
    for (let at: Element | null = element; at; at = at.parentElement) parents.push(at);
    if (parents.some((at) => at.matches('.sr, option, [inert], .pub__trap, .chips--scroll'))) continue;
    const isEllipsis = (at: Element) => {
      const { textOverflow, webkitLineClamp } = getComputedStyle(at);
      return textOverflow === 'ellipsis' || webkitLineClamp !== 'none';
    };
    const clippers = parents.filter((at) => getComputedStyle(at).overflowX !== 'visible');
    const scroller = clippers.find((at) => at.matches('[data-scrolls-sideways], .view-chips, .cal-strip'));
    if (clippers.some(isEllipsis) || scroller) continue;
    if (clippers.some((at) => at.getBoundingClientRect().width <= 1)) continue;
    for (const { 0: word, index } of text.textContent.matchAll(/[a-z]{2,14}(?![^\s.,!?:])/gi)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1 && !/\S$/.test(text.textContent.slice(0, index))) found.add(`"${word}" is broken`);
    }
    const what = `${nameOf(element)} "${text.textContent.trim().slice(0, 24)}"`;
    if (right > clientWidth + 1 || left < -1) found.add(`${what} ends at ${Math.round(right)} px`);
    for (const at of clippers) {
      const box = at.getBoundingClientRect();
      if (right > box.right + 1 || left < box.left - 1) found.add(`${what} is cut off by ${nameOf(at)}`);
      const isHidden = ['hidden', 'clip'].includes(getComputedStyle(at).overflowY);
      if (isHidden && bottom > box.bottom + 1) found.add(`${what} is cut off below by ${nameOf(at)}`);
    }
  }
  for (const control of document.querySelectorAll('button, a, input, textarea, select')) {
    const { left, right, width } = control.getBoundingClientRect();
    const isSeen = control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && width > 1;
    if (
      isSeen &&
      !control.closest('.view-chips, .chips--scroll, .pub__trap, .sr, [inert]') &&
      (right > clientWidth + 1 || left < -1)
    )
      found.add(`${nameOf(control)} ends at ${Math.round(right)} px`);
  }
  return [...found];
}
