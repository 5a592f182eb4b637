import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { logIn } from '#tests/support/browser/browser.ts';
import { openWhole, tradiePages } from '#tests/support/browser/page.ts';

/** A page as over plain http, in a browser whose user lets the site store nothing. Runs before the page's own scripts. */
function refuse(): void {
  const refusing = (target: object, name: string) =>
    Object.defineProperty(target, name, {
      get() {
        throw new DOMException('Refused', 'SecurityError');
      },
    });
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) refusing(window, name);
  for (const name of ['locks', 'serviceWorker', 'clipboard', 'storage', 'share'])
    Object.defineProperty(navigator, name, { value: undefined });
  Object.defineProperty(crypto, 'subtle', { value: undefined });
  Object.defineProperty(crypto, 'randomUUID', { value: undefined });
  Object.defineProperty(window, 'isSecureContext', { value: false });
}

const note = (page: Page, start: string) => page.getByText(`${start} You can go on in this tab,`).first();

test('where the browser stores nothing, over plain http too, login, registration and shell say so, and every page works', {
  tag: '@phone',
}, async ({ page, account }) => {
  test.slow();
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await page.addInitScript(refuse);
  const refused = 'This browser stores nothing for Ute.';
  await page.goto('/register/tradie');
  await expect(note(page, refused)).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page).toHaveURL(/\/register\/tradie\/trades/);
  await page.reload();
  await expect(page).toHaveURL(/\/register\/tradie\/trades/);

  await page.goto('/login');
  await expect(note(page, refused)).toBeVisible();
  await logIn(page, account);
  await expect(page.getByRole('heading', { name: 'Your jobs' })).toBeVisible();
  await expect(note(page, refused)).toBeVisible();
  for (const path of tradiePages) {
    await openWhole(page, path);
    await expect(page, path).not.toHaveURL(/\/login/);
    await expect(page.getByRole('button', { name: 'Try Again' }), path).toHaveCount(0);
  }
  await page.goto('/jobs/add');
  await page.getByLabel('Full name').fill('Half Typed');
  await page.reload();
  await expect(page.getByLabel('Full name')).toHaveValue('Half Typed');
  await page.goto('/logout');
  await page.getByRole('button', { name: 'Log out and lose it' }).click();
  await expect(page).toHaveURL('/login');
  expect(await page.evaluate(() => window.name)).not.toContain('ute.session');
  await page.goto('/');
  await expect(page).toHaveURL('/login');
  expect(faults).toEqual([]);
});

test('where the browser is full a login lasts as long as the tab', { tag: '@desktop' }, async ({
  page,
  account,
}) => {
  await page.addInitScript(() => {
    const own = Storage.prototype.setItem;
    Storage.prototype.setItem = function (name, value) {
      if (this === localStorage) throw new DOMException('Full', 'QuotaExceededError');
      own.call(this, name, value);
    };
  });
  await page.goto('/login');
  await expect(note(page, 'This browser has no room left to store things.')).toBeVisible();
  await logIn(page, account);
  await expect(page.getByRole('heading', { name: 'Your jobs' })).toBeVisible();
  await page.goto('/profile');
  await expect(page.getByRole('heading', { name: 'Business Profile' })).toBeVisible();
});
