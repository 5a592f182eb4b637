import { expect, type Page } from '@playwright/test';

/**
 * Has every page of the window translated from before its scripts run on, as browsers do it: each text leaves the page and
 * elements stand in its place, whatever shows later included. Gives what fails when something broke by that since, or when
 * a text that React draws has not its element to itself: the next change of it would break the page, or not be seen.
 */
export async function translatePages(page: Page): Promise<(where: string) => Promise<void>> {
  const broken: string[] = [];
  page.on('pageerror', ({ message }) => broken.push(message));
  // What a component's fault is shown instead of is told to the console alone.
  page.on('console', (message) => {
    if (message.type() === 'error' && /NotFoundError|not a child/.test(message.text()))
      broken.push(message.text());
  });
  await page.addInitScript(translate);
  return async (where) => {
    expect(await page.evaluate(textsBesideOthers), where).toEqual([]);
    expect(broken, where).toEqual([]);
  };
}

/** Runs in the page. */
function translate(): void {
  const kept =
    'script, style, noscript, textarea, option, title, font, svg *, [translate=no] *, .notranslate *';
  const element = (holds: Node | string) => {
    const font = document.createElement('font');
    font.style.verticalAlign = 'inherit';
    font.append(holds);
    return font;
  };
  const wrap = (text: Text) => {
    if (!text.parentElement || !text.data.trim() || text.parentElement.matches(kept)) return;
    text.replaceWith(element(element(text.data)));
  };
  const walk = (from: Node) => {
    if (from instanceof Text) return wrap(from);
    const walker = document.createTreeWalker(from, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) wrap(text);
  };
  document.addEventListener('DOMContentLoaded', () => {
    walk(document.body);
    new MutationObserver((changes) => {
      for (const { addedNodes, target, type } of changes) {
        for (const node of addedNodes) walk(node);
        if (type === 'characterData' && target instanceof Text) wrap(target);
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}

/** Leaflet draws its own line below a map. Runs in the page. */
function textsBesideOthers(): string[] {
  return [...document.querySelectorAll<HTMLElement>('astro-island :not(font) > font')]
    .filter((text) => text.parentElement?.childNodes.length !== 1 && !text.closest('.leaflet-control'))
    .map((text) => `"${text.textContent}" in ${text.parentElement?.outerHTML.slice(0, 120)}`);
}
