import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, type Route } from '@playwright/test';

type RunOptions = Parameters<AxeBuilder['options']>[0];

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
  // Without frames axe needs no page of its own to put their findings together, and what is there need not come again.
  const isAlone = page.frames().length === 1;
  const isThere = isAlone && (await page.evaluate(() => 'axe' in window));
  const axe = new AxeBuilder(isThere ? { page, axeSource: ';' } : { page }).setLegacyMode(isAlone);
  for (const selector of except) axe.exclude(selector);
  return (await axe.options({ resultTypes: ['violations'], ...rules }).analyze()).violations;
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
    if (!/disposed|closed/.test(String(error))) throw error;
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
