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

const lettersAsMarkup = () => {
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
};

test('no page lets a text become a script', { tag: '@desktop' }, async ({ page, account }) => {
  await page.request.post('/api/authenticate/forgot-password', { data: { email: account.email } });
  const reset = linkOf(await messageTo(page, account.email, '/reset-password?t='));
  const customer = aCustomer('Trusted tap');
  await page.request.post(`/t/${account.slug}`, {
    form: customer,
    headers: { 'sec-fetch-site': 'same-origin' },
    maxRedirects: 0,
  });
  const answer = linkOf(await messageTo(page, account.email, '/answer/'));
  const signedOut = ['/login', '/forgot-password', reset, '/register/tradie', `/t/${account.slug}`, answer];
  const others = ['/book-demo', '/terms', '/privacy', '/offline', '/confirm-email', '/no/such/page'];
  for (const path of [
    ...signedOut,
    '/not-needed/x',
    '/your-details/x',
    '/unsubscribe/x',
    '/dev/outbox',
    ...others,
  ]) {
    const response = await page.goto(path);
    const policy = response?.headers()['content-security-policy'] ?? '';
    expect(policy, path).toContain("require-trusted-types-for 'script'");
    expect(policy, path).toContain('trusted-types ute-worker ute-bot-check default');
    expect(await page.evaluate(lettersAsMarkup), path).toEqual([]);
  }
  await logInByApi(page, account);
  for (const path of ['/', '/jobs/all', '/profile', '/chatbot']) {
    await page.goto(path);
    expect(await page.evaluate(lettersAsMarkup), path).toEqual([]);
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
