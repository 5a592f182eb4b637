import { type Browser, chromium, type Page } from '@playwright/test';
import { type Figure, type Item, milliseconds } from '#tests/bench/figure.ts';
import { prepared, product } from '#tests/bench/prepared.ts';
import { mockSchedule } from '#tests/support/browser/browser.ts';
import { findChromium } from '#tests/support/browser/browsers.ts';

const SLOW_DOWN = 4;
const SCROLLED_MS = 10_000;
const WHEEL = 240;
const JOBS = 2_000;

/** A phone's schedule with two thousand jobs, scrolled without a rest on a processor four times slower. */
export const scheduleScroll: Item = {
  name: 'schedule-scroll',
  about: 'the longest task while a schedule of 2,000 jobs is scrolled for 10 s at 4x CPU slow-down',
  async measure(log): Promise<Figure[]> {
    const ute = await product('small');
    const executablePath = findChromium();
    const browser = await chromium.launch(executablePath ? { executablePath } : {});
    try {
      const { tasks, cards } = await scroll(browser, ute.url);
      log(`${tasks.length} tasks above 50 ms: ${tasks.map((task) => task.toFixed(0)).join(', ')}`);
      const longest = Math.max(0, ...tasks);
      return [
        {
          what: 'schedule, longest task while scrolled',
          value: milliseconds(longest),
          budget: '',
          met: null,
        },
        {
          what: 'schedule, most cards on the page',
          value: String(cards),
          budget: '≤ 400',
          met: cards <= 400,
          note: `${JOBS} jobs`,
        },
      ];
    } finally {
      await browser.close();
      await ute.stop();
    }
  },
};

async function scroll(browser: Browser, url: string): Promise<{ tasks: number[]; cards: number }> {
  const page = await browser.newPage({
    viewport: { width: 390, height: 844 },
    baseURL: url,
    serviceWorkers: 'block',
  });
  await mockSchedule(page, (distance) => (distance === 3 ? JOBS - 179 * 9 : 9));
  await signInOn(page);
  await page.goto('/jobs/today?view=today');
  await page.getByRole('article').first().waitFor();
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOW_DOWN });
  await page.evaluate(observeTasks);
  await page.mouse.move(200, 500);
  let cards = 0;
  for (const began = performance.now(); performance.now() - began < SCROLLED_MS; ) {
    await page.mouse.wheel(0, WHEEL);
    await page.evaluate(() => new Promise(requestAnimationFrame));
    cards = Math.max(cards, await page.getByRole('article').count());
  }
  const tasks = await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks);
  return { tasks, cards };
}

async function signInOn(page: Page): Promise<void> {
  const { email, password } = prepared('small');
  await page.goto('/login');
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByRole('heading', { name: 'Your jobs' }).waitFor();
}

function observeTasks(): void {
  const seen = globalThis as unknown as { tasks: number[] };
  seen.tasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.tasks.push(duration);
  }).observe({ type: 'longtask' });
}
