import { expect, type Page, type Response } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { aCustomer, linkOf, logIn, messageTo, openJob, requestJob } from '#tests/support/browser/browser.ts';
import { findMarkers } from '#tests/support/scenarios/erasing.ts';

/** All that a page's browser holds of its site: both storages, IndexedDB, cached pages and cookies, as one text. */
async function browserStorage(page: Page): Promise<string> {
  const cookies = JSON.stringify(await page.context().cookies());
  const held = await page.evaluate(async () => {
    const finished = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const textOf = (value: unknown): string =>
      value instanceof ArrayBuffer || ArrayBuffer.isView(value)
        ? new TextDecoder().decode(value)
        : value !== null && typeof value === 'object'
          ? Object.entries(value)
              .map(([name, part]) => `${name}=${textOf(part)}`)
              .join('\n')
          : String(value);
    const texts = [textOf({ ...localStorage }), textOf({ ...sessionStorage })];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await finished(indexedDB.open(name));
      for (const table of database.objectStoreNames) {
        texts.push(textOf(await finished(database.transaction(table).objectStore(table).getAll())));
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const stored = await (await caches.open(name)).matchAll();
      for (const answer of stored) texts.push(answer.url, await answer.text());
    }
    return texts.join('\n');
  });
  return `${cookies}\n${held}`;
}

/** Collects the HTML of every page that is loaded from now on, as the server sent it. */
function loadedHtml(page: Page): () => Promise<string> {
  const answers: Response[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'document') answers.push(response);
  });
  // A redirect has no body.
  return async () => (await Promise.all(answers.map((answer) => answer.text().catch(() => '')))).join('\n');
}

test.use({ serviceWorkers: 'allow' });

/** Loads a page and waits until it shows what it asked for. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
  await expect(page.locator('.sk')).toHaveCount(0);
}

test('@desktop a tradie’s browser stores nothing of a customer that can be read, and no page holds it', async ({
  page,
}) => {
  const html = loadedHtml(page);
  const { ask, id, ...customer } = await openJob(page, 'Marker');
  const notes = `Marker notes of ${crypto.randomUUID()}`;
  await page.getByRole('textbox', { name: 'Notes' }).fill(notes);
  await page.getByRole('textbox', { name: 'Notes' }).blur();
  await expect
    .poll(async () => (await ask<{ job: { notes: string } }>('GET', `/jobs/${id}`)).job.notes)
    .toBe(notes);
  for (const path of [
    '/',
    '/jobs/all?view=all',
    '/jobs/today?view=today',
    `/jobs/details/${id}`,
    `/jobs/details/${id}/record`,
    `/jobs/details/${id}/as-at`,
    '/profile',
  ]) {
    await visit(page, path);
  }
  const held = { 'the browser': await browserStorage(page), 'the HTML': await html() };
  expect(findMarkers(held, { ...customer, notes })).toEqual([]);
  expect(held['the browser']).toContain('ute.session');
});

test('@desktop passwords and the token of a reset stay nowhere, and logging out leaves nothing', async ({
  page,
  account,
}) => {
  const html = loadedHtml(page);
  const newPassword = 'Marker#New Spanner 77';
  await page.request.post('/api/authenticate/forgot-password', { data: { email: account.email } });
  const link = linkOf(await messageTo(page, account.email, '/reset-password?t='));
  const token = link.split('t=')[1] ?? '';
  await page.goto(link);
  await page.getByLabel('New Password').fill(newPassword);
  await page.getByLabel('Confirm Password').fill(newPassword);
  const secrets = { token, newPassword, password: account.password };
  expect(
    findMarkers({ 'the address': page.url(), 'the browser': await browserStorage(page) }, secrets),
  ).toEqual([]);
  await page.getByRole('button', { name: 'Save new password' }).click();
  await page.waitForURL(/\/login/);
  await logIn(page, { ...account, password: newPassword });
  await page.waitForURL('/');
  await visit(page, '/profile?panel=security');
  const personal = { email: account.email, phone: account.phone };
  const held = { 'the browser': await browserStorage(page), 'the HTML': await html() };
  expect(findMarkers(held, { ...secrets, ...personal })).toEqual([]);
  const session = await page.evaluate(() => JSON.parse(localStorage.getItem('ute.session') ?? '{}').token);
  expect(session).toMatch(/^ey/);
  await page.goto('/logout');
  await page.waitForURL(/\/login/);
  // The pages that are cached for a dead spot stay: they name where a session would be, and hold none.
  const left = { 'the browser': await browserStorage(page) };
  expect(findMarkers(left, { email: account.email, session })).toEqual([]);
  expect(await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])).toEqual(
    [],
  );
});

test('@desktop a customer’s browser has nothing left of what was sent', async ({ page }) => {
  const html = loadedHtml(page);
  const customer = aCustomer('Marker');
  await requestJob(page, customer);
  // The page shows what was sent, from the tab's storage, which it empties.
  await expect(page.getByRole('region', { name: 'What you sent' })).toContainText(customer.title);
  expect(
    findMarkers({ 'the browser': await browserStorage(page), 'the HTML': await html() }, customer),
  ).toEqual([]);
});
