import { expect, type Locator, type Page } from '@playwright/test';
import { type Account, test } from '#tests/support/browser/accounts.ts';
import {
  aCustomer,
  aTypedJob,
  linkOf,
  logInByApi,
  messageTo,
  openMonth,
  postRequest,
} from '#tests/support/browser/browser.ts';

async function boxOf(target: Locator) {
  const box = await target.boundingBox();
  if (!box) throw new Error('it is not drawn');
  return box;
}

const colourOf = (target: Locator) => target.evaluate((element) => getComputedStyle(element).color);

async function openWithJobs(page: Page, account: Account, count: number): Promise<string> {
  const ask = await logInByApi(page, account);
  let last = '';
  for (let made = 0; made < count; made += 1) {
    const { job } = await ask<{ job: { id: string } }>('POST', '/jobs', aTypedJob(`Job ${made}`));
    last = job.id;
  }
  return last;
}

test('every link of a foot is as large as a thumb', { tag: '@phone' }, async ({ page, account }) => {
  for (const [path, foot] of [
    [`/t/${account.slug}`, '.pub__foot a'],
    ['/login', '.auth__notices a'],
  ] as const) {
    await page.goto(path);
    const links = await page.locator(foot).all();
    expect(links.length).toBeGreaterThan(2);
    for (const link of links) {
      const { width, height } = await boxOf(link);
      expect(Math.min(width, height), `${path} ${await link.textContent()}`).toBeGreaterThanOrEqual(44);
    }
  }
});

test('the add button leaves every call at the end of a page free', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  await openWithJobs(page, account, 4);
  for (const path of ['/jobs/all?view=all', '/jobs/new?view=new', '/']) {
    await page.goto(path);
    await expect(page.getByRole('link', { name: 'Add new job' })).toBeVisible();
    if (path !== '/') await expect(page.getByRole('article')).toHaveCount(4);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const button = await boxOf(page.locator('.tabbar__add > span'));
    for (const call of await page.getByRole('link', { name: /^Call/ }).all()) {
      const { x, y, width, height } = await boxOf(call);
      const isUnder = y + height > button.y && y < button.y + button.height && x + width > button.x;
      expect(isUnder && y < button.y + button.height, path).toBe(false);
    }
  }
});

test('declining is on the left and accepting on the right, behind a link too', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  await postRequest(page, aCustomer('Sides'), `/t/${account.slug}`);
  await page.goto(linkOf(await messageTo(page, account.email, '/answer/')));
  const decline = await boxOf(page.getByRole('button', { name: 'Reject' }));
  const accept = await boxOf(page.getByRole('button', { name: 'Accept' }));
  expect(decline.x + decline.width).toBeLessThanOrEqual(accept.x);
  expect(decline.y).toBe(accept.y);
});

test('the icons of the status menu have the colours of their statuses', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  const id = await openWithJobs(page, account, 1);
  await page.goto(`/jobs/details/${id}`);
  await page.getByRole('combobox', { name: 'Job status' }).click();
  for (const name of ['Paid', 'In progress', 'Completed']) {
    const sign = page.getByRole('option', { name }).locator('.dot-icon');
    expect(await colourOf(sign.locator('.icon')), name).toBe(await colourOf(sign));
  }
});

test('a chosen day looks chosen under the pointer that chose it', async ({ page, account, isMobile }) => {
  await logInByApi(page, account);
  await page.goto('/jobs/add');
  if (isMobile) {
    await page.getByRole('button', { name: /Not scheduled yet/ }).click();
    await openMonth(page);
  }
  await page.getByRole('button', { name: 'Next month' }).click();
  const day = page.getByRole('gridcell', { name: /^\w+ 13 / }).getByRole('button');
  const background = () => day.evaluate((button) => getComputedStyle(button).backgroundColor);
  await day.click();
  await expect(day).toHaveAttribute('aria-pressed', 'true');
  await day.hover();
  const ink = await page.evaluate(() => getComputedStyle(document.body).color);
  await expect.poll(background).toBe(ink);
});
