import { expect, type Page } from '@playwright/test';
import { aTradie, openWizardAt, test } from '#tests/support/browser/accounts.ts';
import {
  aCustomer,
  fillRequest,
  linkOf,
  logInByApi,
  messageTo,
  publicForm,
  sendRequest,
} from '#tests/support/browser/browser.ts';
import { expectTextsOnly } from '#tests/support/browser/page.ts';

/** Collects from now on what the policy of any page refused, and what a page threw. */
async function refusals(page: Page): Promise<readonly string[]> {
  const seen: string[] = [];
  page.on('pageerror', ({ message }) => seen.push(message));
  await page.exposeFunction('report', (what: string) => seen.push(what));
  await page.addInitScript(() => {
    const { report } = window as unknown as { report(what: string): void };
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) => {
      report(`${location.pathname} ${violatedDirective} ${sample}`);
    });
  });
  return seen;
}

test('no page lets a text become a script', { tag: '@desktop' }, async ({ page, account }) => {
  // All others are asked with everything else about them.
  await page.request.post('/api/authenticate/forgot-password', { data: { email: account.email } });
  const reset = linkOf(await messageTo(page, account.email, '/reset-password?t='));
  const customer = aCustomer('Trusted tap');
  await page.request.post(`/t/${account.slug}`, {
    form: customer,
    headers: { 'sec-fetch-site': 'same-origin' },
    maxRedirects: 0,
  });
  const answer = linkOf(await messageTo(page, account.email, '/answer/'));
  for (const path of [reset, answer, '/confirm-email', '/dev/outbox']) {
    const response = await page.goto(path);
    await expectTextsOnly(page, response?.headers() ?? {});
  }
});

test.describe('what needs a policy has one', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the bot check, the map of the wizard, toasts, cached pages', {
    tag: '@desktop',
  }, async ({ page, account }) => {
    const seen = await refusals(page);
    await page.goto(publicForm());
    await fillRequest(page, aCustomer('Trusted shower'));
    await sendRequest(page);
    await expect(page).toHaveURL(/\/sent\?ref=/);

    await openWizardAt(page, 'coverage', aTradie('au'));
    await expect(page.locator('.leaflet-container')).toBeVisible();
    await page.locator('.leaflet-container').click();
    await expect(page.locator('.leaflet-container path.m-radius')).toBeVisible();
    await expect(page.locator('.leaflet-container .m-pin')).toBeVisible();

    await page.goto('/forgot-password');
    await page.getByLabel('Email').fill(account.email);
    await page.keyboard.press('Enter');
    await expect(page.getByText('Please check your inbox')).toBeVisible();
    await page.goto(linkOf(await messageTo(page, account.email, '/reset-password?t=')));
    await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();

    await logInByApi(page, account);
    await page.goto('/');
    await page.evaluate(() => navigator.serviceWorker.ready.then(({ active }) => active?.scriptURL));
    expect(seen).toEqual([]);
  });
});
