import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, type Route } from '@playwright/test';

/** Looks at the page as it is in both colour schemes, which differ in their colours alone: axe finds nothing. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  expect((await new AxeBuilder({ page }).analyze()).violations, 'in light').toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  const colours = new AxeBuilder({ page }).withRules(['color-contrast', 'link-in-text-block']);
  expect((await colours.analyze()).violations, 'in dark').toEqual([]);
}

/** Lets the server answer and changes what it says. A page that is left meanwhile asks again on the next one. */
export async function changeAnswer<T>(route: Route, change: (answer: T) => object): Promise<void> {
  try {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as T) });
  } catch (error) {
    if (!/disposed|closed/.test(String(error))) throw error;
  }
}

/** Adds up the layout shifts that nobody asked for, from the next page on; gives the sum of the page that is open. */
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
