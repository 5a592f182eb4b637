import { expect, type Locator, type Page } from '@playwright/test';
import type { JobCardView } from '#core/job/view.ts';
import { test } from '#tests/support/browser/accounts.ts';
import {
  aCustomer,
  type Customer,
  demo,
  fillRequest,
  logInByApi,
  messageTo,
  newJobPath,
  publicForm,
  sendRequest,
} from '#tests/support/browser/browser.ts';
import { changeAnswer, expectAccessible } from '#tests/support/browser/page.ts';
import { bytesOf, greyAt, lineDrawing, pictureBomb, png } from '#tests/support/scenarios/files.ts';

const fileOf = (name: string, bytes: Uint8Array) => ({
  ...{ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) },
});
const plan = fileOf(
  'plan.pdf',
  Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
);
const chooser = (page: Page) => page.locator('input[type="file"]');
const listed = (page: Page) => page.getByRole('list', { name: 'Your photos' }).getByRole('listitem');

/** The names of what arrived, as its tradie saves it: photos first, which have no name on the page. */
async function filesOf(page: Page, { title }: Customer): Promise<string[]> {
  const ask = await logInByApi(page, demo());
  const search = new URLSearchParams({ search: title });
  const found = async () => (await ask<{ jobs: { id: string }[] }>('GET', `/jobs?${search}`)).jobs[0]?.id;
  await expect.poll(found).toBeDefined();
  await page.goto(`/jobs/details/${await found()}`);
  const files = page.getByRole('region', { name: /^Photos|^Uploaded documents/ }).getByRole('link');
  await expect(files.first()).toBeVisible();
  const names: string[] = [];
  for (const link of await files.all()) {
    const answer = await page.request.get((await link.getAttribute('href')) ?? '');
    expect(answer.status()).toBe(200);
    const disposition = answer.headers()['content-disposition'] ?? '';
    names.push(/^attachment; filename="([^"]*)"/.exec(disposition)?.[1] ?? disposition);
  }
  return names;
}

test('photos and PDFs go up in the size that is needed, and reach the tradie', { tag: '@phone' }, async ({
  page,
}) => {
  const customer = aCustomer('With a photo');
  const sizes: number[] = [];
  await page.route('**/media?*', (route) => {
    sizes.push(route.request().postDataBuffer()?.length ?? 0);
    return route.continue();
  });
  await page.goto(publicForm());
  await fillRequest(page, customer);
  const photo = fileOf('leak.png', bytesOf(png(2100, 300), new Uint8Array(1_200_000)));
  await chooser(page).setInputFiles([photo, plan, fileOf('setup.exe', Buffer.from('MZ'))]);
  // An empty state: it is up.
  await expect(listed(page)).toHaveText(['leak.jpg', 'plan.pdf', 'Add more']);
  await expect(page.getByText('setup.exe: Use a PDF, or a PNG, JPEG or WebP image')).toBeVisible();
  await chooser(page).setInputFiles([
    fileOf('setup.exe', Buffer.from('MZ')),
    fileOf('notes.txt', Buffer.from('words')),
    fileOf('huge.pdf', bytesOf('%PDF-1.7\n', new Uint8Array(6_000_000))),
  ]);
  const refused = page.getByRole('alert').filter({ hasText: 'setup.exe' });
  await expect(refused).toContainText('huge.pdf: Use files of at most 5 MB');
  await expect(refused).toContainText('notes.txt: Use a PDF, or a PNG, JPEG or WebP image');
  await expect(refused).toContainText('setup.exe: Use a PDF, or a PNG, JPEG or WebP image');
  expect(sizes[0]).toBeLessThan(photo.buffer.length);
  await expectAccessible(page);
  await page.reload();
  await expect(listed(page)).toHaveText(['leak.jpg', 'plan.pdf', 'Add more']);
  await chooser(page).setInputFiles(Array.from({ length: 4 }, () => plan));
  await expect(page.getByText('Add at most 5 files')).toBeVisible();
  for (let more = 5; more > 2; more -= 1)
    await page.getByRole('button', { name: 'Remove plan.pdf' }).last().click();
  await sendRequest(page);
  const sent = page.getByRole('region', { name: 'What you sent' });
  await expect(sent.getByRole('img')).toHaveCount(1);
  await expect(sent.getByRole('img', { name: 'Photo 1 of 1' })).toHaveAttribute('src', /^data:image\/jpeg/);
  await expectAccessible(page);
  expect(await filesOf(page, customer)).toEqual(['leak.jpg', 'plan.pdf']);
});

test('a picture that the browser does not finish reading is named, and the next one goes up', {
  tag: '@phone',
}, async ({ page }) => {
  await page.addInitScript(() => {
    const read = window.createImageBitmap.bind(window) as (
      file: Blob,
      options?: object,
    ) => Promise<ImageBitmap>;
    window.createImageBitmap = ((file: File, options?: object) =>
      file.name === 'stuck.jpg' ? new Promise(() => {}) : read(file, options)) as typeof createImageBitmap;
  });
  await page.clock.install();
  await page.goto(publicForm());
  const stuck = fileOf('stuck.jpg', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, ...new Uint8Array(2_000)));
  await chooser(page).setInputFiles([stuck, fileOf('leak.png', png(40, 30))]);
  await expect(listed(page).first()).toContainText('Getting ready');
  await page.clock.fastForward(8_000);
  await expect(page.getByText('stuck.jpg: This file is damaged, please use another one')).toBeVisible();
  await expect(listed(page)).toHaveText(['leak.png', 'Add more']);
});

test('a drawing on no ground goes up on white, as it is shown, and a scan of few bytes and many pixels smaller', {
  tag: '@phone',
}, async ({ page }) => {
  const bodies: Buffer[] = [];
  await page.route('**/media?*', (route) => {
    bodies.push(route.request().postDataBuffer() ?? Buffer.alloc(0));
    const media = { id: `${bodies.length}`, name: 'x', mime: 'image/jpeg', bytes: 1 };
    return route.fulfill({ json: { status: 'ok', media } });
  });
  await page.goto(publicForm());
  const plan = bytesOf(lineDrawing(1_000), new Uint8Array(1_200_000));
  await chooser(page).setInputFiles([fileOf('plan.png', plan), fileOf('scan.png', pictureBomb(2_100))]);
  await expect(listed(page)).toHaveText(['plan.jpg', 'scan.jpg', 'Add more']);
  const src = await listed(page).first().locator('img').getAttribute('src');
  const preview = Buffer.from(src?.replace('data:image/jpeg;base64,', '') ?? '', 'base64');
  for (const [seen, side] of [
    [bodies[0] ?? preview, 1_000],
    [preview, 192],
  ] as const) {
    expect(await greyAt(seen, 4, 4)).toBeGreaterThan(250);
    expect(await greyAt(seen, side / 2, side / 2)).toBeLessThan(5);
  }
  expect(await new Bun.Image(bodies[1] ?? preview).metadata()).toMatchObject({
    width: 2_048,
    format: 'jpeg',
  });
});

test('a photo is seen on the card of its job, and by its customer on "Your details", where a PDF is named', {
  tag: '@phone',
}, async ({ page }) => {
  const customer = aCustomer('Photo to see');
  await page.goto(publicForm());
  await fillRequest(page, customer);
  await chooser(page).setInputFiles([fileOf('leak.png', png(300, 200)), plan]);
  await expect(listed(page)).toHaveText(['leak.png', 'plan.pdf', 'Add more']);
  await sendRequest(page);
  const isSeen = (picture: Locator) =>
    expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);

  const { text } = await messageTo(page, customer.email, 'Your details:');
  await page.goto(/\/your-details\/\S+/.exec(text)?.[0] ?? '');
  const held = page.getByRole('region', { name: 'What is held', exact: true });
  await isSeen(held.getByRole('img', { name: 'Photo leak.png' }));
  await expect(held.getByText(/^plan\.pdf, /)).toBeVisible();
  await expectAccessible(page);

  await logInByApi(page, demo());
  await page.goto(newJobPath(customer));
  const card = page.getByRole('article', { name: customer.title });
  await isSeen(card.locator('img'));
  await expect(card.getByText('1 photo')).toBeVisible();
  await page.route('**/api/media/**', (route) => route.abort());
  await page.route('**/api/jobs?*', (route) =>
    changeAnswer<{ jobs: JobCardView[] }>(route, ({ jobs, ...rest }) => ({
      ...rest,
      jobs: jobs.map((job) => ({ ...job, thumb: '/api/media/gone?size=thumb' })),
    })),
  );
  await page.reload();
  await expect(card.getByText('1 photo')).toBeVisible();
  await expect(card.locator('img')).toHaveCount(0);
});

test('a file waits while another upload of the same network is on its way', { tag: '@phone' }, async ({
  page,
}) => {
  const customer = aCustomer('In turn');
  const message = 'Another upload is still on its way, please try again when it is done';
  let tries = 0;
  await page.route('**/media?*', (route) => {
    tries += 1;
    if (tries > 2) return route.continue();
    return route.fulfill({
      ...{ status: 429, headers: { 'retry-after': '1' }, json: { status: 'error', message } },
    });
  });
  await page.goto(publicForm());
  await fillRequest(page, customer);
  await chooser(page).setInputFiles([plan]);
  await sendRequest(page);
  expect(tries).toBe(3);
  expect(await filesOf(page, customer)).toEqual(['plan.pdf']);
});

test('a file that does not get through waits for the network with the rest', { tag: '@phone' }, async ({
  page,
  context,
}) => {
  const customer = aCustomer('Photo in a dead spot');
  await page.goto(publicForm());
  await fillRequest(page, customer);
  await context.setOffline(true);
  await chooser(page).setInputFiles([plan]);
  await expect(listed(page)).toHaveText(['plan.pdfWaiting', 'Add more']);
  await page.getByRole('button', { name: 'Send to Acme Plumbing' }).click();
  await expect(page.getByRole('alert')).toContainText('Not sent yet');
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Sent to Acme Plumbing' })).toBeVisible({
    timeout: 20_000,
  });
  expect(await filesOf(page, customer)).toEqual(['plan.pdf']);
});

test('an address is chosen from suggestions by keyboard, or used as typed', { tag: '@desktop' }, async ({
  page,
}) => {
  await page.clock.install();
  await page.goto(publicForm());
  const address = page.getByLabel('Job address');
  await address.fill('12 smith st fitz');
  const options = page.getByRole('option');
  await expect(options.last()).toContainText('Use this address');
  await address.press('ArrowDown');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await address.press('Enter');
  await expect(address).toHaveValue('12 Smith Street, Fitzroy VIC, Australia');
  await expect(options).toHaveCount(0);
  await address.fill('Lot 3, Back Rd');
  await options.filter({ hasText: 'Use this address' }).click();
  await expect(address).toHaveValue('Lot 3, Back Rd');
  await address.fill('Lot 4, Back Rd');
  await page.getByLabel('Full name').focus();
  await page.clock.fastForward(1_000);
  await expect(page.locator('.listbox')).toBeHidden();
});

test('where the script of the bot check is blocked, the form sends itself with its files', {
  tag: '@phone',
}, async ({ page }) => {
  const challenge = { provider: 'turnstile', siteKey: 'a-key', action: 'public-form' };
  await page.route('**/bot-check/challenge*', (route) =>
    route.fulfill({ json: { status: 'ok', challenge } }),
  );
  const customer = aCustomer('Behind a strict filter');
  await page.goto(publicForm());
  await fillRequest(page, customer);
  await chooser(page).setInputFiles([plan]);
  await sendRequest(page);
  expect(await filesOf(page, customer)).toEqual(['plan.pdf']);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('files go with the form', { tag: '@phone' }, async ({ page, browser }) => {
    const customer = aCustomer('Plain form with a plan');
    await page.goto(publicForm());
    await fillRequest(page, customer);
    await chooser(page).setInputFiles([plan]);
    await sendRequest(page);
    const tradie = await browser.newPage({ javaScriptEnabled: true });
    expect(await filesOf(tradie, customer)).toEqual(['plan.pdf']);
    await tradie.close();
  });
});
