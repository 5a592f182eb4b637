import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { aCustomer, demo, logInByApi, publicForm } from '#tests/support/browser/browser.ts';
import { bytesOf, png } from '#tests/support/scenarios/files.ts';

/** Slow 4G: 1.6 Mbit/s in bytes per second, and milliseconds of latency. */
const slow4G = { downloadThroughput: 200_000, uploadThroughput: 200_000, latency: 150 };
const photo = {
  ...{ name: 'leak.png', mimeType: 'image/png' },
  buffer: Buffer.from(bytesOf(png(900, 500), new Uint8Array(1_200_000))),
};

/** Puts the page on a phone four times slower than this machine, until `leave`: other tests go on in this window. */
async function onSlowPhone(page: Page) {
  const phone = await page.context().newCDPSession(page);
  const setOffline = (offline: boolean) =>
    phone.send('Network.emulateNetworkConditions', { ...slow4G, offline }).then(() => undefined);
  await phone.send('Network.enable');
  await setOffline(false);
  await phone.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  return { setOffline, leave: () => phone.detach() };
}

test('on a slow connection the customer does not wait for the bot check, a reload loses nothing, and a dead spot sends once', {
  tag: '@phone',
}, async ({ page }) => {
  const { setOffline, leave } = await onSlowPhone(page);
  const customer = aCustomer('At the end of the line');
  const address = page.getByRole('combobox', { name: 'Job address' });
  const files = page.getByRole('list', { name: 'Your photos' }).getByRole('listitem');
  await page.goto(publicForm());
  await page.getByLabel('In a few words').fill(customer.title);
  await address.fill('12 smith st fitz');
  await page.getByRole('option').first().click();
  await page.getByText('Townhouse').click();
  await page.locator('input[type="file"]').setInputFiles([photo]);
  await expect(files).toHaveText(['leak.jpg', 'Add more']);

  await page.reload();
  await expect(files).toHaveText(['leak.jpg', 'Add more']);
  await expect(page.getByLabel('In a few words')).toHaveValue(customer.title);
  await expect(address).toHaveValue('12 Smith Street, Fitzroy VIC, Australia');
  await expect(page.getByRole('radio', { name: 'Townhouse' })).toBeChecked();

  const checked = page.waitForResponse('**/bot-check/verify');
  await page.getByLabel('Full name').fill(customer.name);
  await checked;
  await page.getByLabel('Phone number').fill(customer.phone);
  await page.getByLabel('Email address').fill(customer.email);
  const asked: { path: string; body: unknown }[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) asked.push({ path: pathname, body: request.postDataJSON() });
  });
  await setOffline(true);
  await page.getByRole('button', { name: 'Send to Acme Plumbing' }).click();
  await expect(page.getByRole('alert')).toContainText('Not sent yet');
  await expect(page.getByRole('alert')).toContainText('no network');
  await setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Sent to Acme Plumbing' })).toBeVisible();
  const place = { placeId: expect.any(String), lat: expect.any(Number), lng: expect.any(Number) };
  for (const { path, body } of asked) {
    expect(path).toMatch(/\/jobs$/);
    expect(body).toMatchObject({ title: customer.title, ...place, media: [expect.any(String)] });
  }

  const ask = await logInByApi(page, demo());
  const found = async () =>
    (await ask<{ jobs: unknown[] }>('GET', `/jobs?search=${encodeURIComponent(customer.title)}`)).jobs;
  await expect.poll(found).toHaveLength(1);
  await leave();
});
