import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, type Route } from '@playwright/test';
import type Axe from 'axe-core';
import type { ElementContext, RunOptions } from 'axe-core';

/** Half the size of what it would bring itself: the page reads it anew for each look. */
const axeSource = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const colourRules: RunOptions = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

/**
 * Looks at the page once what moves on it has come to rest, in both colour schemes, which differ in their colours
 * alone: axe finds nothing. `except` are selectors of what is judged elsewhere.
 */
export async function expectAccessible(
  page: Page,
  { except = [] }: Readonly<{ except?: readonly string[] }> = {},
): Promise<void> {
  expect(await violations(page, 'light', {}, except), 'in light').toEqual([]);
  expect(await violations(page, 'dark', colourRules, except), 'in dark').toEqual([]);
}

async function violations(
  page: Page,
  colorScheme: 'light' | 'dark',
  rules: RunOptions,
  except: readonly string[] = [],
) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await atRest(page);
  const options: RunOptions = { resultTypes: ['violations'], ...rules };
  if (page.frames().length > 1) {
    const axe = new AxeBuilder({ page, axeSource });
    for (const selector of except) axe.exclude(selector);
    return (await axe.options(options).analyze()).violations;
  }
  // Without frames there are no findings to put together: axe needs no page of its own, and comes once a page.
  const find = () => page.evaluate(findViolations, { context: { exclude: [...except] }, options });
  const found = await find();
  if (found) return found;
  await page.evaluate(axeSource);
  return find();
}

/** Null where the page does not have axe. Runs in the page. */
async function findViolations({ context, options }: { context: ElementContext; options: RunOptions }) {
  const { axe } = window as unknown as { axe?: typeof Axe };
  return axe ? (await axe.run(context, options)).violations : null;
}

/** Waits until every animation and transition that has an end is over. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const moving = document
      .getAnimations()
      .filter(({ effect, playState }) => {
        return playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
      })
      .map(({ finished }) => finished);
    await Promise.allSettled(moving);
  });
}

/**
 * Lets the server answer and changes what it says, and the headers it says it under. A page that is left meanwhile asks
 * again on the next one.
 */
export async function changeAnswer<T>(
  route: Route,
  change: (answer: T) => object,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  try {
    const response = await route.fetch();
    const json = change((await response.json()) as T);
    await route.fulfill({ response, json, headers: { ...response.headers(), ...headers } });
  } catch (error) {
    if (!/disposed|closed|Test ended/.test(String(error))) throw error;
  }
}

/** Adds up the layout shifts that no input caused, from the next page on; gives the sum of the page that is open. */
export async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const sums = { shift: 0 };
    Object.assign(window, { sums });
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) if (!entry.hadRecentInput) sums.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { sums: { shift: number } }).sums.shift);
}

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

/** A word of 60 letters. */
export const longWord = 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunt';

/** The large text that every page fits, in percent, with the width of the window in pixels: a phone and a small one. */
export const textSizes = [
  [130, 390],
  [160, 320],
] as const;

/** What is wider than the window: the page itself, or a control outside a row that scrolls sideways. Runs in the page. */
export function tooWide(): string[] {
  const { clientWidth, scrollWidth } = document.documentElement;
  const found = scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide`] : [];
  for (const control of document.querySelectorAll(
    'main :is(a, button, input, summary, h1, h2, p), .tabbar *',
  )) {
    const { left, right, width } = control.getBoundingClientRect();
    if (
      width <= 1 ||
      control.closest('.chips--scroll, .sr, .pub__trap, .demo__trap, [data-scrolls-sideways]') ||
      !control.checkVisibility()
    )
      continue;
    if (left < -1 || right > clientWidth + 1)
      found.push(
        `${control.localName}.${control.className} ${control.textContent} ends at ${Math.round(right)} px`,
      );
  }
  return found;
}

/** Sets the size of the text and the width of the window. */
export async function setText(page: Page, percent: number, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 844 });
  await page.evaluate((size) => {
    document.documentElement.style.fontSize = size;
  }, `${percent}%`);
}

/** Pages that a visitor opens, without the wizard's later steps and what only a link of a message opens. */
export const visitorPages: readonly string[] = [
  ...['/login', '/forgot-password', '/reset-password?t=', '/reset-password?t=nothing'],
  ...['/book-demo', '/register/tradie'],
  ...['/terms', '/privacy', '/offline', '/no/such/page'],
  ...['/answer/nonsense', '/not-needed/nonsense', '/unsubscribe/nonsense', '/welcome/nonsense'],
  '/your-details/nonsense',
];

/** A job that no business has. */
export const unknownJob = '/jobs/details/0198c0de-0000-7000-8000-000000000000';

/** Pages that a tradie opens, with each panel of the settings; the page of a job is the test's own. */
export const tradiePages: readonly string[] = [
  ...['/', '/jobs/today?view=today', '/jobs/new?view=new', '/jobs/in-progress?view=in-progress'],
  ...['/jobs/all?view=all', '/jobs/all?view=all&search=nothing+like+it', '/jobs/as-at'],
  ...['/jobs/add', unknownJob],
  ...['/profile', '/profile/brand', '/profile/intro', '/profile/form', '/chatbot'],
  ...['look', 'business-details', 'enquiry-form', 'notifications', 'security', 'proof'].map(
    (panel) => `/profile?panel=${panel}`,
  ),
];

/** Opens a page and waits until its islands have started and nothing of it is a placeholder. */
export async function openWhole(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await expect(page.locator('main :is(h1, h2)').first()).toBeAttached();
  await expect(page.locator('.sk').filter({ visible: true })).toHaveCount(0);
  if (path.includes('panel='))
    await expect(page.getByRole('dialog').getByRole('heading').first()).toBeVisible();
}

/** The page that is open lets no text become a script, by a policy that it was answered with. */
export async function expectTextsOnly(page: Page, headers: Readonly<Record<string, string>>): Promise<void> {
  const policy = headers['content-security-policy'] ?? '';
  expect(policy, page.url()).toContain("require-trusted-types-for 'script'");
  expect(policy, page.url()).toContain('trusted-types ute-worker ute-bot-check default');
  expect(await page.evaluate(textsAsScripts), page.url()).toEqual([]);
  expect(await page.evaluate(textsAsScripts), page.url()).toEqual([]);
}

/** The ways by which a text becomes a script. Runs in the page. */
function textsAsScripts(): string[] {
  const sinks = {
    markup: () => {
      document.createElement('p')['innerHTML'] = '<b>text</b>';
    },
    script: () => {
      document.createElement('script').src = '/any.js';
    },
    worker: () => void new Worker('/any.js'),
    policy: () =>
      void (
        globalThis as { trustedTypes?: { createPolicy(name: string, rules: object): void } }
      ).trustedTypes?.createPolicy('any', {}),
  };
  return Object.entries(sinks).flatMap(([name, sink]) => {
    try {
      sink();
      return name;
    } catch {
      return [];
    }
  });
}
