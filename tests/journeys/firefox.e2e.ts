import { expect } from '@playwright/test';
import type { Browser, Page } from 'puppeteer-core';
import { test } from '#tests/support/browser/accounts.ts';
import { aCustomer } from '#tests/support/browser/browser.ts';
import { openFirefox } from '#tests/support/browser/browsers.ts';

/** A page of a visitor of its own, as wide as a phone, which collects the faults of its scripts and what they warn of. */
async function aVisitor(browser: Browser, faults: string[]): Promise<Page> {
  const page = await (await browser.createBrowserContext()).newPage();
  await page.setViewport({ width: 390, height: 844 });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (/^(error|warn)/.test(message.type())) faults.push(message.text());
  });
  return page;
}

/** Waits for words on whatever page is open by then: an element that is waited for is lost as the page changes. */
async function untilShown(page: Page, words: string): Promise<void> {
  // biome-ignore lint/performance/useDomNodeTextContent: what is not shown does not count
  const text = () => page.evaluate(() => document.body.innerText).catch(() => '');
  await expect.poll(text).toContain(words);
}

/** Types into fields by their names. */
async function fill(page: Page, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(texts)) await page.type(`input[name="${name}"]`, text);
}

test('in Firefox a request goes from the public form to the tradie, who accepts it', {
  tag: '@firefox',
}, async ({ account }) => {
  const origin = process.env.UTE_URL ?? '';
  const faults: string[] = [];
  const browser = await openFirefox();
  try {
    const customer = aCustomer('Burst pipe');
    const visitor = await aVisitor(browser, faults);
    await visitor.goto(`${origin}/t/${account.slug}`);
    await fill(visitor, customer);
    await visitor.keyboard.press('Enter');
    await untilShown(visitor, 'Sent to');

    const tradie = await aVisitor(browser, faults);
    await tradie.goto(`${origin}/login`);
    await fill(tradie, { email: account.email, password: account.password });
    await tradie.keyboard.press('Enter');
    await untilShown(tradie, customer.title);
    expect(await tradie.content()).not.toContain(customer.email);

    // The card may be drawn anew between being found and being pressed: both are one step in the page.
    const accept = (title: string) => {
      const buttons = document.querySelectorAll<HTMLElement>(`article[aria-label*="${title}"] button`);
      [...buttons].find((button) => button.textContent?.includes('Accept'))?.click();
    };
    await tradie.evaluate(accept, customer.title);
    await untilShown(tradie, 'Job has been accepted!');
    await untilShown(tradie, '0491 570 156');

    // A page that is left is no fault, though its connection for news breaks with it.
    for (const [path, words] of [
      ['/jobs/today?view=today', 'Today'],
      ['/jobs/all?view=all', customer.title],
      ['/', 'Your jobs'],
    ] as const) {
      await tradie.goto(`${origin}${path}`);
      await untilShown(tradie, words);
    }
    expect(faults).toEqual([]);
  } finally {
    await browser.close();
  }
});
